package habemus.check;

import habemus.check.counterexample.DelayedDelivery;
import habemus.check.counterexample.SchedulePlayer;
import habemus.check.counterexample.TraceToSchedule;
import habemus.check.model.CheckReport;
import habemus.check.model.CrashTarget;
import habemus.check.model.PossibleMoves;
import habemus.check.model.ReplayResult;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.protocol.Protocol;
import habemus.protocol.Timed;
import habemus.protocol.ValueTypeCheck;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Checks every run of a small world, and decides for each property whether it holds in all of them. */
public final class ModelChecker {

    private ModelChecker() {}

    /**
     * Checks the properties of a protocol in a scope. Every monitor multiplies the states: name only the properties
     * that matter.
     *
     * @param protocol its states and messages must be immutable values: see {@link ValueTypeCheck}
     * @param properties what to check; if none is named, every property of the problem that the options can decide
     */
    public static CheckReport check(Protocol<?, ?> protocol, Scope scope, Property... properties) {
        var first = scope.topology().nodes().getFirst();
        ValueTypeCheck.checkValue(
                protocol.start(scope.topology().neighbourhood(first)).state());
        var problem = Problem.of(protocol);
        if (problem == Problem.DETECTOR && scope.faults().crashes().target() != CrashTarget.ANYONE) {
            throw new IllegalArgumentException("crash target must be anyone for a detector, was "
                    + scope.faults().crashes().target());
        }
        var checked = properties.length == 0 ? defaultProperties(protocol, scope) : List.of(properties);
        for (Property property : checked) {
            if (!property.isOf(problem)) {
                throw new IllegalArgumentException(property + " is not a property of a " + problem);
            }
        }
        return new RefinementLoop<>(protocol, scope, checked).run();
    }

    private static List<Property> defaultProperties(Protocol<?, ?> protocol, Scope scope) {
        var options = scope.options();
        var checked = new ArrayList<>(Property.of(protocol));
        if (protocol instanceof Timed && scope.timers().maxTimeouts() == 0) {
            checked.removeIf(property -> property.when() != Property.When.ALWAYS); // they depend on timeouts
        }
        if (options.reductions().order() || options.reductions().symmetry() || options.hashCompaction()) {
            checked.remove(Property.BOUNDED_WAITING); // needs all transitions between all states
        }
        if (options.reductions().order()) {
            checked.remove(Property.HAPPENED_BEFORE_ORDER); // distinguishes transitions that commute otherwise
        }
        return List.copyOf(checked);
    }

    /**
     * Plays a schedule, and checks every property of the problem.
     *
     * @param scope the world; its limits do not apply, the schedule decides what happens
     * @throws Schedule.InvalidScheduleException if a move is not possible
     */
    public static ReplayResult play(Protocol<?, ?> protocol, Scope scope, Schedule schedule) {
        var player = player(protocol, scope, schedule);
        return player.result(player.play(schedule));
    }

    /**
     * The moves that are possible after a schedule.
     *
     * @param scope the world; its limits do not apply
     * @param faults the fault kinds that may come next, besides those of the schedule
     * @throws Schedule.InvalidScheduleException if a move of the schedule is not possible
     */
    public static PossibleMoves possibleMoves(
            Protocol<?, ?> protocol, Scope scope, Schedule schedule, Set<FaultKind> faults) {
        var unbounded = schedule.unboundedScope(scope);
        for (FaultKind kind : faults) {
            unbounded = unbounded.withFault(kind, Scope.UNBOUNDED);
        }
        var player = new SchedulePlayer(protocol, unbounded, replayProperties(protocol, scope));
        return player.possibleMoves(player.play(schedule));
    }

    /**
     * The same run with one message arriving later. A move that is not possible without the message waits until it is;
     * one that never becomes possible is left out.
     *
     * @param scope the world; its limits do not apply
     * @param delivery the index among the moves, without the starts
     * @param by how many moves later
     */
    public static Schedule delay(Protocol<?, ?> protocol, Scope scope, Schedule schedule, int delivery, int by) {
        return DelayedDelivery.of(player(protocol, scope, schedule), schedule, delivery, by);
    }

    /**
     * Shrinks a simulated run to a short one with the same violation: removes moves, then checks all runs with no more
     * moves of any kind. If the violation needs it, timeouts and suspicions come at any time; else they wait for
     * messages.
     *
     * @param scope the world; its limits do not apply, the run decides what happens
     * @param violated the violation, as in {@link CheckReport.Finding#name}
     * @return empty if the moves of the run, without their times, do not show the violation
     */
    public static Optional<ShrinkResult> shrink(
            Protocol<?, ?> protocol, Scope scope, List<TraceEvent> run, String violated) {
        var schedule = TraceToSchedule.of(run, scope.inOrder());
        var synchronous = schedule.isTimed()
                ? new Shrinker(protocol, scope.synchronous(), violated, schedule).shrink()
                : Optional.<ShrinkResult>empty();
        return synchronous.or(() -> new Shrinker(protocol, scope, violated, schedule).shrink());
    }

    /** Plays a schedule in an order that is easier to read: see {@link SchedulePlayer#inReadableOrder}. */
    static ReplayResult playReadable(Protocol<?, ?> protocol, Scope scope, Schedule schedule) {
        var player = player(protocol, scope, schedule);
        return player.result(player.inReadableOrder(player.play(schedule)));
    }

    private static SchedulePlayer player(Protocol<?, ?> protocol, Scope scope, Schedule schedule) {
        return new SchedulePlayer(protocol, schedule.unboundedScope(scope), replayProperties(protocol, scope));
    }

    private static List<Property> replayProperties(Protocol<?, ?> protocol, Scope scope) {
        var properties = scope.isSynchronous() ? Property.byName(protocol) : Property.of(protocol);
        return properties.stream()
                .filter(property -> property != Property.BOUNDED_WAITING
                        || scope.bypassBound().isPresent())
                .toList();
    }
}
