package habemus.check;

import habemus.check.counterexample.SchedulePlayer;
import habemus.check.counterexample.TraceToSchedule;
import habemus.check.model.CheckReport;
import habemus.check.model.CrashTarget;
import habemus.check.model.ReplayResult;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.protocol.Protocol;
import habemus.protocol.Timed;
import habemus.protocol.ValueTypeCheck;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at every run of a world, and says of each property whether it holds in all of them. */
public final class ModelChecker {

    private ModelChecker() {}

    /**
     * Every judge costs states: name what the check is about.
     *
     * @param properties what to judge; if none is named, every property of the problem of which such a search can tell
     * @throws IllegalArgumentException if the protocol's states or messages are no values: see {@link ValueTypeCheck}
     */
    public static CheckReport check(Protocol<?, ?> protocol, Scope scope, Property... properties) {
        ValueTypeCheck.check(protocol);
        var first = scope.topology().nodes().getFirst();
        ValueTypeCheck.checkValue(
                protocol.start(scope.topology().neighbourhood(first)).state());
        var problem = Problem.of(protocol);
        if (problem == Problem.DETECTOR && scope.crashModel().target() != CrashTarget.ANYONE) {
            throw new IllegalArgumentException("nobody waits for a detector, or is let in by it: anyone may crash");
        }
        var checked = properties.length == 0 ? defaultProperties(protocol, scope) : List.of(properties);
        for (Property property : checked) {
            if (property.problem() != problem) {
                throw new IllegalArgumentException(property + " is not asked of a " + problem);
            }
        }
        return new RefinementLoop<>(protocol, scope, checked).run();
    }

    private static List<Property> defaultProperties(Protocol<?, ?> protocol, Scope scope) {
        var checkOptions = scope.options();
        var checked = new ArrayList<>(Property.of(protocol));
        if (protocol instanceof Timed && scope.maxTimeouts() == 0) {
            checked.removeIf(property -> property.when() == Property.When.EVENTUALLY); // which alarms bring about
        }
        if (checkOptions.orderReduction() || checkOptions.symmetryReduction() || checkOptions.hashCompaction()) {
            checked.remove(Property.BOUNDED_WAITING); // a matter of all ways between all states
        }
        if (checkOptions.orderReduction()) {
            checked.remove(Property.HAPPENED_BEFORE_ORDER); // which tells apart what else commutes
        }
        return List.copyOf(checked);
    }

    /**
     * Makes the run that a schedule tells, and judges every property of the problem.
     *
     * @param scope the world; what happens there, and how often, is up to the schedule
     * @throws Schedule.InvalidScheduleException if a move cannot be made
     */
    public static ReplayResult play(Protocol<?, ?> protocol, Scope scope, Schedule schedule) {
        ValueTypeCheck.check(protocol);
        var schedulePlayer = player(protocol, scope, schedule);
        return schedulePlayer.result(schedulePlayer.play(schedule));
    }

    /**
     * Makes a simulated run short: leaves out what is not needed for what it violates, then looks at all runs in which
     * no more happens. Alarms, and news of crashes, wait for messages if that will do; else they come at any time.
     *
     * @param scope the world; what happens there, and how often, is up to the run
     * @param violated what it violates, as in {@link CheckReport.Finding#name}
     * @return nothing if the run does not violate it where nothing has a time
     */
    public static Optional<ShrinkResult> shrink(
            Protocol<?, ?> protocol, Scope scope, List<TraceEvent> run, String violated) {
        ValueTypeCheck.check(protocol);
        var schedule = TraceToSchedule.of(run, scope.inOrder());
        var synchronous = schedule.isTimed()
                ? new Shrinker(protocol, scope.synchronous(), violated, schedule).shrink()
                : Optional.<ShrinkResult>empty();
        return synchronous.or(() -> new Shrinker(protocol, scope, violated, schedule).shrink());
    }

    /** Makes the run that a schedule tells, ordered for reading. */
    public static ReplayResult playReadable(Protocol<?, ?> protocol, Scope scope, Schedule schedule) {
        var schedulePlayer = player(protocol, scope, schedule);
        return schedulePlayer.result(schedulePlayer.inReadableOrder(schedulePlayer.play(schedule)));
    }

    private static SchedulePlayer player(Protocol<?, ?> protocol, Scope scope, Schedule schedule) {
        return new SchedulePlayer(protocol, schedule.unboundedScope(scope), replayProperties(protocol, scope));
    }

    private static List<Property> replayProperties(Protocol<?, ?> protocol, Scope scope) {
        return Property.of(protocol).stream()
                .filter(property -> property != Property.BOUNDED_WAITING
                        || scope.bypassBound().isPresent())
                .toList();
    }
}
