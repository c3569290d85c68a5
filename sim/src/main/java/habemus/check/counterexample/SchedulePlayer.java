package habemus.check.counterexample;

import static java.util.function.Predicate.not;

import habemus.check.model.CheckReport;
import habemus.check.model.Move;
import habemus.check.model.NodeSemantics;
import habemus.check.model.PossibleMoves;
import habemus.check.model.ReductionAssumptions;
import habemus.check.model.ReplayResult;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.check.search.StateSpace;
import habemus.check.search.SuccessorGenerator;
import habemus.check.store.GlobalStateTable;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.world.Property;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Plays schedules move by move, in a scope that allows every move they need. */
public final class SchedulePlayer {

    private final StateSpace stateSpace;
    private final SuccessorGenerator successors;
    private final NodeSemantics<?, ?> nodeSemantics;
    private final GlobalStateTable globalStates;
    private final int globalIndex; // of the global state among the ints of a state

    /** @param scope one that allows what the schedules need: see {@link Schedule#unboundedScope} */
    public SchedulePlayer(Protocol<?, ?> protocol, Scope scope, List<Property> properties) {
        nodeSemantics = new NodeSemantics<>(protocol, scope, properties.contains(Property.HAPPENED_BEFORE_ORDER));
        stateSpace = new StateSpace(
                nodeSemantics,
                properties,
                ReductionAssumptions.none(scope.topology().nodes()));
        successors = stateSpace.successors();
        globalStates = stateSpace.globalStates();
        globalIndex = scope.topology().size();
    }

    /** The run after the starts of all nodes. The start moves of the schedule choose the random draws. */
    public ScheduledRun begin(Schedule schedule) {
        var starts = schedule.moves().stream()
                .filter(move -> move.verb() == Move.Verb.START)
                .collect(Collectors.toMap(Move::node, move -> move, (first, second) -> second));
        return successors.initialStates().stream()
                .filter(initialState -> starts.values().stream().allMatch(move -> {
                    int node = nodeSemantics.indexOf(move.node());
                    return node >= 0
                            && newLedger()
                                    .startMove(node, initialState.starts().get(node))
                                    .equals(move);
                }))
                .findFirst()
                .map(initialState -> new ScheduledRun(successors, newLedger(), initialState))
                .orElseThrow(() -> new Schedule.InvalidScheduleException(
                        "no run starts with: "
                                + starts.values().stream().map(Move::toString).collect(Collectors.joining(".")),
                        "name the start of a node only if it draws random numbers"));
    }

    /** @throws Schedule.InvalidScheduleException if a move is not possible */
    public ScheduledRun play(Schedule schedule) {
        var run = begin(schedule);
        var moves = withoutStarts(schedule);
        for (int i = 0; i < moves.size(); i++) {
            var move = moves.get(i);
            var nextMove = run.find(move);
            if (nextMove.isEmpty()) {
                var possible = run.nextMoves().stream()
                        .map(next -> next.move.toString())
                        .distinct()
                        .collect(Collectors.joining(", "));
                throw new Schedule.InvalidScheduleException(
                        "move " + (i + 1) + " is not possible: " + move,
                        possible.isEmpty() ? "the run ends before this move" : "possible moves: " + possible);
            }
            run.execute(nextMove.get());
        }
        return run;
    }

    public static List<Move> withoutStarts(Schedule schedule) {
        return schedule.moves().stream()
                .filter(move -> move.verb() != Move.Verb.START)
                .toList();
    }

    /** The same run in the order of {@link ReadableOrder}, if that leads to the same state. */
    public ScheduledRun inReadableOrder(ScheduledRun run) {
        var reordered = tryPlay(run.schedule(
                ReadableOrder.order(run.executed(), nodeSemantics.scope().isSynchronous())));
        return reordered
                .filter(other -> Arrays.equals(other.state(), run.state()))
                .filter(other -> (other.failure() == null) == (run.failure() == null))
                .orElse(run);
    }

    private InFlightLedger newLedger() {
        return new InFlightLedger(nodeSemantics, stateSpace.localStates());
    }

    private Optional<ScheduledRun> tryPlay(Schedule schedule) {
        try {
            return Optional.of(play(schedule));
        } catch (Schedule.InvalidScheduleException notPossible) {
            return Optional.empty();
        }
    }

    /** Whether this property, {@link CheckReport#PROTOCOL_BUG} or {@link CheckReport#IMPURE} is violated. */
    public boolean violates(ScheduledRun run, String name) {
        var failure = run.failure();
        if (failure != null) {
            return name.equals(failure instanceof ProtocolBug ? CheckReport.PROTOCOL_BUG : CheckReport.IMPURE);
        }
        int now = run.state()[globalIndex];
        return contains(globalStates.violated(now), name)
                || contains(globalStates.violatedIfQuiescent(now), name) && run.isQuiescent();
    }

    private boolean contains(int bits, String name) {
        return globalStates.properties(bits).stream().map(Property::toString).anyMatch(name::equals);
    }

    public PossibleMoves possibleMoves(ScheduledRun run) {
        return new PossibleMoves(run.possibleMoves(), run.failure() == null && run.isQuiescent());
    }

    public ReplayResult result(ScheduledRun run) {
        boolean quiescent = run.failure() == null && run.isQuiescent();
        var trace = new TraceBuilder(stateSpace).build(run.starts(), run.nodeTransitions(), quiescent);
        var bug = Optional.ofNullable(run.failure()).map(Throwable::getMessage).filter(not(String::isEmpty));
        return new ReplayResult(run.schedule(), trace, quiescent, bug);
    }
}
