package habemus.check.counterexample;

import static java.util.Objects.requireNonNull;

import habemus.check.model.Move;
import habemus.check.model.PossibleMove;
import habemus.check.model.Schedule;
import habemus.check.search.SuccessorGenerator;
import habemus.check.store.NodeTransition;
import habemus.check.store.Transition;
import habemus.world.InFlightMessage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A run that is executed move by move: the moves so far, and those that are possible next. */
public final class ScheduledRun {

    /** A move that is possible next. */
    public static final class NextMove {

        final Move move;
        private final NodeTransition nodeTransition;
        private final int[] state; // after the move; if the step fails, the state before it

        private NextMove(Move move, NodeTransition nodeTransition, int[] state) {
            this.move = move;
            this.nodeTransition = nodeTransition;
            this.state = state;
        }
    }

    /** @param sentBy the index of the move that sent the message of this one; negative if there is none */
    public record ExecutedMove(Move move, NodeTransition nodeTransition, int sentBy) {}

    private final SuccessorGenerator generator;
    private final InFlightLedger ledger;
    private final List<Transition> starts;
    private final List<Move> startMoves = new ArrayList<>(); // the starts that draw random numbers
    private final List<ExecutedMove> executed = new ArrayList<>();
    private int[] state;
    private @Nullable RuntimeException failure;
    private @Nullable List<NextMove> nextMoves;
    private boolean quiescent;

    ScheduledRun(SuccessorGenerator generator, InFlightLedger ledger, SuccessorGenerator.InitialState initialState) {
        this.generator = generator;
        this.ledger = ledger;
        starts = initialState.starts();
        state = initialState.state();
        for (int node = 0; node < starts.size(); node++) {
            ledger.recordStart(node, starts.get(node));
            var move = ledger.startMove(node, starts.get(node));
            if (!move.draws().isEmpty()) {
                startMoves.add(move);
            }
        }
    }

    /** The moves that are possible next; empty after a failed step. */
    List<NextMove> nextMoves() {
        if (nextMoves == null) {
            nextMoves = computeNextMoves();
        }
        return nextMoves;
    }

    /** The same, with the message of each; without crashes in the middle of a step. */
    List<PossibleMove> possibleMoves() {
        return nextMoves().stream()
                .filter(nextMove -> nextMove.move.crashAfter() == 0)
                .map(nextMove -> new PossibleMove(
                        nextMove.move, nextMove.nodeTransition.transition().action(), message(nextMove.move)))
                .toList();
    }

    private @Nullable InFlightMessage message(Move move) {
        if (!move.verb().isAboutMessage()) {
            return null;
        }
        var tracked = ledger.messageAt(requireNonNull(move.peer()), move.node(), move.position());
        return tracked == null ? null : tracked.inFlightMessage();
    }

    private List<NextMove> computeNextMoves() {
        var next = new ArrayList<NextMove>();
        if (failure != null) {
            return next;
        }
        var kind = generator.expand(state, new SuccessorGenerator.SuccessorVisitor() {
            @Override
            public void onSuccessor(int node, Transition transition, int[] after) {
                next.add(new NextMove(
                        ledger.moveOf(node, transition), new NodeTransition(node, transition), after.clone()));
            }

            @Override
            public void onFailure(int node, Transition transition) {
                next.add(new NextMove(ledger.moveOf(node, transition), new NodeTransition(node, transition), state));
            }
        });
        quiescent = kind == SuccessorGenerator.StateKind.QUIESCENT;
        return next;
    }

    /** The next move that equals this one; empty if it is not possible. */
    Optional<NextMove> find(Move move) {
        var wanted = normalized(move);
        return nextMoves().stream()
                .filter(nextMove -> nextMove.move.equals(wanted))
                .findFirst();
    }

    /** The same move; else one with another message from the same peer, other random draws or another time. */
    public Optional<NextMove> findSimilar(Move move) {
        return find(move)
                .or(() -> nextMoves().stream()
                        .filter(nextMove -> nextMove.move.isSimilarTo(move))
                        .findFirst());
    }

    /** The first move that must happen at some time; timeouts come last. */
    public Optional<NextMove> findObligation() {
        return nextMoves().stream()
                .filter(nextMove ->
                        nextMove.nodeTransition.transition().kind().mustHappen && nextMove.move.crashAfter() == 0)
                .min(Comparator.comparing(nextMove -> nextMove.move.verb() == Move.Verb.TIMEOUT));
    }

    /** A move whose step fails. */
    public Optional<NextMove> findFailing() {
        return nextMoves().stream()
                .filter(nextMove -> nextMove.nodeTransition.transition().failure() != null)
                .findFirst();
    }

    /** Replaces the position of a message by that of the first equal one. */
    private Move normalized(Move move) {
        if (!move.verb().isAboutMessage()) {
            return move;
        }
        var trackedMessage = ledger.messageAt(requireNonNull(move.peer()), move.node(), move.position());
        return trackedMessage == null
                ? move
                : move.withPeer(trackedMessage.pendingMessage().from(), ledger.positionOf(trackedMessage));
    }

    public void execute(NextMove nextMove) {
        var transition = nextMove.nodeTransition.transition();
        var messageChanges = ledger.execute(nextMove.nodeTransition.node(), transition);
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

    /** The whole run, with the starts that draw random numbers first. */
    Schedule schedule() {
        return schedule(executed);
    }

    /** The same moves in another order. */
    public Schedule schedule(List<ExecutedMove> order) {
        var moves = new ArrayList<>(startMoves);
        order.forEach(executedMove -> moves.add(executedMove.move));
        return new Schedule(moves);
    }

    int[] state() {
        return state.clone();
    }

    /** Whether no move must happen any more. */
    boolean isQuiescent() {
        nextMoves();
        return quiescent;
    }

    /** The protocol bug or impure step that ended the run. */
    @Nullable
    RuntimeException failure() {
        return failure;
    }
}
