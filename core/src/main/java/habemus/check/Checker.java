package habemus.check;

import habemus.protocol.Admission;
import habemus.protocol.Protocol;
import habemus.protocol.Timed;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks at every run of a world, and says of each property whether it holds in all of them. */
public final class Checker {

    private Checker() {}

    /**
     * Every judge costs states: name what the check is about.
     *
     * @param properties what to judge; if none is named, every property of the problem of which such a search can tell
     * @throws IllegalArgumentException if the protocol's states or messages are no values: see {@link Admission}
     */
    public static Report check(Protocol<?, ?> protocol, Scope scope, Property... properties) {
        Admission.check(protocol);
        var first = scope.topology().nodes().getFirst();
        Admission.checkValue(protocol.start(scope.topology().place(first)).state());
        var problem = Problem.of(protocol);
        if (problem == Problem.DETECTOR && scope.crashes().victim() != Victim.ANYONE) {
            throw new IllegalArgumentException("nobody waits for a detector, or is let in by it: anyone may crash");
        }
        var judged = properties.length == 0 ? standard(protocol, scope) : List.of(properties);
        for (Property property : judged) {
            if (property.problem() != problem) {
                throw new IllegalArgumentException(property + " is not asked of a " + problem);
            }
        }
        return new Inquiry<>(protocol, scope, judged).run();
    }

    private static List<Property> standard(Protocol<?, ?> protocol, Scope scope) {
        var effort = scope.effort();
        var judged = new ArrayList<>(Property.of(protocol));
        if (protocol instanceof Timed && scope.alarms() == 0) {
            judged.removeIf(property -> property.when() == Property.When.IN_THE_END); // which alarms bring about
        }
        if (effort.order() || effort.symmetry() || effort.compact()) {
            judged.remove(Property.BOUNDED_WAITING); // a matter of all ways between all states
        }
        if (effort.order()) {
            judged.remove(Property.HAPPENED_BEFORE_ORDER); // which tells apart what else commutes
        }
        return List.copyOf(judged);
    }

    /**
     * Makes the run that a schedule tells, and judges every property of the problem.
     *
     * @param scope the world; what happens there, and how often, is up to the schedule
     * @throws Schedule.Impossible if a move cannot be made
     */
    public static Played play(Protocol<?, ?> protocol, Scope scope, Schedule schedule) {
        Admission.check(protocol);
        var player = player(protocol, scope, schedule);
        return player.told(player.play(schedule));
    }

    /**
     * Makes a simulated run short: leaves out what is not needed for what it violates, then looks at all runs in which
     * no more happens. Alarms, and news of crashes, wait for messages if that will do; else they come at any time.
     *
     * @param scope the world; what happens there, and how often, is up to the run
     * @param violated what it violates, as in {@link Report.Finding#name}
     * @return nothing if the run does not violate it where nothing has a time
     */
    public static Optional<Shrunk> shrink(Protocol<?, ?> protocol, Scope scope, List<TraceLine> run, String violated) {
        Admission.check(protocol);
        var schedule = Transcript.of(run, scope.inOrder());
        var patient = schedule.isTimed()
                ? new Shrinker(protocol, scope.synchronous(), violated, schedule).shrink()
                : Optional.<Shrunk>empty();
        return patient.or(() -> new Shrinker(protocol, scope, violated, schedule).shrink());
    }

    /** Makes the run that a schedule tells, ordered for reading. */
    static Played retell(Protocol<?, ?> protocol, Scope scope, Schedule schedule) {
        var player = player(protocol, scope, schedule);
        return player.told(player.inBursts(player.play(schedule)));
    }

    private static Player player(Protocol<?, ?> protocol, Scope scope, Schedule schedule) {
        return new Player(protocol, schedule.freely(scope), all(protocol, scope));
    }

    private static List<Property> all(Protocol<?, ?> protocol, Scope scope) {
        return Property.of(protocol).stream()
                .filter(property ->
                        property != Property.BOUNDED_WAITING || scope.bypass().isPresent())
                .toList();
    }
}
