package habemus.check.counterexample;

import static java.util.Objects.requireNonNull;

import habemus.check.model.Move;
import habemus.check.model.Schedule;
import habemus.check.search.SuccessorGenerator;
import habemus.check.store.NodeTransition;
import habemus.check.store.Transition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run in the making: what has happened, and what may happen next. */
public final class ScheduledRun {

    /** Something that may happen next. */
    public static final class NextMove {

        final Move move;
        private final NodeTransition nodeTransition;
        private final int[] state; // it leads to; if the algorithm does the impossible, where it is now

        private NextMove(Move act, NodeTransition nodeTransition, int[] state) {
            this.move = act;
            this.nodeTransition = nodeTransition;
            this.state = state;
        }
    }

    /** @param sentBy the place of the move that sent the letter that this one is about; negative if there is none */
    public record ExecutedMove(Move move, NodeTransition nodeTransition, int sentBy) {}

    private final SuccessorGenerator successorGenerator;
    private final InFlightLedger inFlightLedger;
    private final List<Transition> starts;
    private final List<Move> startMoves = new ArrayList<>(); // of the starts at which dice fell
    private final List<ExecutedMove> executed = new ArrayList<>();
    private int[] state;
    private @Nullable RuntimeException failure;
    private @Nullable List<NextMove> nextMoves;
    private boolean quiescent;

    ScheduledRun(
            SuccessorGenerator successorGenerator,
            InFlightLedger inFlightLedger,
            SuccessorGenerator.InitialState initialState) {
        this.successorGenerator = successorGenerator;
        this.inFlightLedger = inFlightLedger;
        starts = initialState.starts();
        state = initialState.state();
        for (int node = 0; node < starts.size(); node++) {
            inFlightLedger.recordStart(node, starts.get(node));
            var name = inFlightLedger.startMove(node, starts.get(node));
            if (!name.draws().isEmpty()) {
                startMoves.add(name);
            }
        }
    }

    /** What may happen next; nothing after the impossible. */
    List<NextMove> nextMoves() {
        if (nextMoves == null) {
            nextMoves = computeNextMoves();
        }
        return nextMoves;
    }

    private List<NextMove> computeNextMoves() {
        var next = new ArrayList<NextMove>();
        if (failure != null) {
            return next;
        }
        var kind = successorGenerator.expand(state, new SuccessorGenerator.SuccessorVisitor() {
            @Override
            public void onSuccessor(int node, Transition transition, int[] after) {
                next.add(new NextMove(
                        inFlightLedger.moveOf(node, transition), new NodeTransition(node, transition), after.clone()));
            }

            @Override
            public void onFailure(int node, Transition transition) {
                next.add(new NextMove(
                        inFlightLedger.moveOf(node, transition), new NodeTransition(node, transition), state));
            }
        });
        quiescent = kind == SuccessorGenerator.StateKind.QUIESCENT;
        return next;
    }

    /** What this act is now; nothing if it is not possible. */
    Optional<NextMove> find(Move act) {
        var same = normalized(act);
        return nextMoves().stream()
                .filter(nextMove -> nextMove.move.equals(same))
                .findFirst();
    }

    /** The same, or else with another letter from the same peer, dice that fall otherwise, or at another time. */
    public Optional<NextMove> findSimilar(Move act) {
        return find(act)
                .or(() -> nextMoves().stream()
                        .filter(nextMove -> nextMove.move.isSimilarTo(act))
                        .findFirst());
    }

    /** A move that must be made some time: whatever comes first, alarms last. */
    public Optional<NextMove> findObligation() {
        return nextMoves().stream()
                .filter(nextMove ->
                        nextMove.nodeTransition.transition().kind().mustHappen && nextMove.move.crashAfter() == 0)
                .min(Comparator.comparing(nextMove -> nextMove.move.verb() == Move.Verb.TIMEOUT));
    }

    /** A move that should be impossible. */
    public Optional<NextMove> findFailing() {
        return nextMoves().stream()
                .filter(nextMove -> nextMove.nodeTransition.transition().failure() != null)
                .findFirst();
    }

    /** Letters that are the same are called by the place of the first. */
    private Move normalized(Move act) {
        if (!act.verb().isAboutMessage()) {
            return act;
        }
        var trackedMessage = inFlightLedger.messageAt(requireNonNull(act.peer()), act.node(), act.position());
        return trackedMessage == null
                ? act
                : act.withPeer(trackedMessage.pendingMessage().from(), inFlightLedger.positionOf(trackedMessage));
    }

    public void execute(NextMove nextMove) {
        var transition = nextMove.nodeTransition.transition();
        var messageChanges = inFlightLedger.execute(nextMove.nodeTransition.node(), transition);
        executed.add(new ExecutedMove(
                nextMove.move,
                nextMove.nodeTransition,
                messageChanges.consumed() == null
                        ? -1
                        : messageChanges.consumed().sentBy()));
        failure = transition.failure();
        state = nextMove.state;
        nextMoves = null;
    }

    List<Transition> starts() {
        return starts;
    }

    public List<ExecutedMove> executed() {
        return executed;
    }

    List<NodeTransition> nodeTransitions() {
        return executed.stream().map(ExecutedMove::nodeTransition).toList();
    }

    /** All of it, beginning with how the dice fell at the starts. */
    Schedule schedule() {
        return schedule(executed);
    }

    /** The same in another order. */
    public Schedule schedule(List<ExecutedMove> order) {
        var moves = new ArrayList<>(startMoves);
        order.forEach(each -> moves.add(each.move));
        return new Schedule(moves);
    }

    int[] state() {
        return state.clone();
    }

    /** Whether nothing must happen any more. */
    boolean isQuiescent() {
        nextMoves();
        return quiescent;
    }

    /** What should have been impossible. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }
}
