package habemus.check.counterexample;

import static java.util.function.Predicate.not;

import habemus.check.model.CheckReport;
import habemus.check.model.Move;
import habemus.check.model.NodeSemantics;
import habemus.check.model.ReductionAssumptions;
import habemus.check.model.ReplayResult;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.check.search.SuccessorGenerator;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.LocalStateTable;
import habemus.protocol.Protocol;
import habemus.protocol.ProtocolBug;
import habemus.world.Property;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Plays runs that are given as schedules, in a world where whatever they need may happen. */
public final class SchedulePlayer {

    private final NodeSemantics<?, ?> nodeSemantics;
    private final LocalStateTable localStateTable;
    private final GlobalStateTable globalStateTable;
    private final SuccessorGenerator successorGenerator;
    private final int globalIndex; // the place of what belongs to no node, in a state

    /** @param scope in which what the schedules need may happen: see {@link Schedule#unboundedScope} */
    public SchedulePlayer(Protocol<?, ?> protocol, Scope scope, List<Property> properties) {
        nodeSemantics = new NodeSemantics<>(protocol, scope, properties.contains(Property.HAPPENED_BEFORE_ORDER));
        globalStateTable = new GlobalStateTable(scope, properties);
        localStateTable = new LocalStateTable(
                nodeSemantics,
                globalStateTable,
                ReductionAssumptions.none(scope.topology().nodes()));
        successorGenerator = new SuccessorGenerator(scope, localStateTable, globalStateTable);
        globalIndex = scope.topology().size();
    }

    /** Everybody has just come up. */
    public ScheduledRun begin(Schedule schedule) {
        var told = schedule.moves().stream()
                .filter(move -> move.verb() == Move.Verb.START)
                .collect(Collectors.toMap(Move::node, move -> move, (one, other) -> other));
        return successorGenerator.initialStates().stream()
                .filter(initialState -> told.values().stream().allMatch(move -> {
                    int node = nodeSemantics.indexOf(move.node());
                    return node >= 0
                            && new InFlightLedger(nodeSemantics, localStateTable)
                                    .startMove(node, initialState.starts().get(node))
                                    .equals(move);
                }))
                .findFirst()
                .map(initialState -> new ScheduledRun(
                        successorGenerator, new InFlightLedger(nodeSemantics, localStateTable), initialState))
                .orElseThrow(() -> new Schedule.InvalidScheduleException(
                        "no run begins with "
                                + told.values().stream().map(Move::toString).collect(Collectors.joining(".")),
                        "a start is only named if it rolls dice"));
    }

    /** @throws Schedule.InvalidScheduleException if a move cannot be made */
    public ScheduledRun play(Schedule schedule) {
        var scheduledRun = begin(schedule);
        var moves = withoutStarts(schedule);
        for (int i = 0; i < moves.size(); i++) {
            var move = moves.get(i);
            var nextMove = scheduledRun.find(move);
            if (nextMove.isEmpty()) {
                var possible = scheduledRun.nextMoves().stream()
                        .map(each -> each.move.toString())
                        .distinct()
                        .collect(Collectors.joining(", "));
                throw new Schedule.InvalidScheduleException(
                        "move " + (i + 1) + ", " + move + ", is not possible there",
                        possible.isEmpty() ? "the run ends before it" : "possible are " + possible);
            }
            scheduledRun.execute(nextMove.get());
        }
        return scheduledRun;
    }

    /** The acts that are no starts. */
    public static List<Move> withoutStarts(Schedule schedule) {
        return schedule.moves().stream()
                .filter(move -> move.verb() != Move.Verb.START)
                .toList();
    }

    /** The same run in bursts, if it comes to the same. */
    public ScheduledRun inReadableOrder(ScheduledRun scheduledRun) {
        var again = tryPlay(scheduledRun.schedule(ReadableOrder.order(
                scheduledRun.executed(), nodeSemantics.scope().isSynchronous())));
        return again.filter(other -> Arrays.equals(other.state(), scheduledRun.state()))
                .filter(other -> (other.failure() == null) == (scheduledRun.failure() == null))
                .orElse(scheduledRun);
    }

    private Optional<ScheduledRun> tryPlay(Schedule schedule) {
        try {
            return Optional.of(play(schedule));
        } catch (Schedule.InvalidScheduleException otherOrder) {
            return Optional.empty();
        }
    }

    /** Whether this property, {@link CheckReport#PROTOCOL_BUG} or {@link CheckReport#IMPURE} is violated. */
    public boolean violates(ScheduledRun scheduledRun, String name) {
        var failure = scheduledRun.failure();
        if (failure != null) {
            return name.equals(failure instanceof ProtocolBug ? CheckReport.PROTOCOL_BUG : CheckReport.IMPURE);
        }
        int now = scheduledRun.state()[globalIndex];
        return contains(globalStateTable.violated(now), name)
                || contains(globalStateTable.violatedIfQuiescent(now), name) && scheduledRun.isQuiescent();
    }

    private boolean contains(int bits, String name) {
        return globalStateTable.properties(bits).stream()
                .map(Property::toString)
                .anyMatch(name::equals);
    }

    /** As it is told. */
    public ReplayResult result(ScheduledRun scheduledRun) {
        boolean atRest = scheduledRun.failure() == null && scheduledRun.isQuiescent();
        var lines = new TraceBuilder(nodeSemantics, localStateTable, globalStateTable)
                .build(scheduledRun.starts(), scheduledRun.nodeTransitions(), atRest);
        var bug = Optional.ofNullable(scheduledRun.failure())
                .map(Throwable::getMessage)
                .filter(not(String::isEmpty));
        return new ReplayResult(scheduledRun.schedule(), lines, atRest, bug);
    }
}
