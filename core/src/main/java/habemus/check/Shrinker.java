package habemus.check;

import habemus.protocol.Protocol;
import habemus.world.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Makes a run that violates something short: leaves out what is not needed, part by part, then looks at all runs in
 * which no more happens than in what is left.
 *
 * <p>In the checker's world nothing has a time: alarms ring, and crashes are noticed, whenever no message is under way,
 * or even at any time, whether or not a simulated run could have them there. What is violated at any time may well hold
 * where messages are faster than alarms.
 */
final class Shrinker {

    /** So many moves are tried at most, times the nodes: a matter of seconds, and the same for everybody. */
    private static final int PATIENCE = 1_000_000;

    /** So many moves may a simulated run still be away from rest. */
    private static final int DETOUR = 200;

    private static final int STATES = 500_000;
    private static final Duration TIME = Duration.ofSeconds(8);

    private final Protocol<?, ?> protocol;
    private final Scope scope;
    private final String violated;
    private final Schedule given;
    private final Player player;
    private final long deadline = System.nanoTime() + TIME.toNanos();
    private int moves; // that were tried

    /** @param violated as in {@link Report.Finding#name} */
    Shrinker(Protocol<?, ?> protocol, Scope scope, String violated, Schedule given) {
        this.protocol = protocol;
        this.scope = scope;
        this.violated = violated;
        this.given = given;
        player = new Player(
                protocol, given.freely(scope), property().map(List::of).orElse(List.of()));
    }

    private Optional<Property> property() {
        return Property.find(violated);
    }

    private boolean isJudgedAtRest() {
        return property()
                .filter(property -> property.when() == Property.When.IN_THE_END)
                .isPresent();
    }

    /** Nothing if the run violates nothing where nothing has a time. */
    Optional<Shrunk> shrink() {
        var acts = Player.moves(given);
        return attempt(acts, 2 * acts.size() + DETOUR).map(course -> {
            var shorter = player.begin(given).schedule(withoutIdle(course).made());
            var shortest = search(shorter);
            var best = Checker.retell(protocol, scope, shortest.orElse(shorter));
            return new Shrunk(best, scope.timing(), acts.size(), shortest.isPresent());
        });
    }

    /** Without the nodes and the callers that are not needed, then without single moves. */
    private Course withoutIdle(Course course) {
        var best = course;
        for (var node : scope.topology().nodes()) {
            best = shorter(best, act -> !act.node().equals(node));
            best = shorter(best, act -> !act.node().equals(node) || act.verb() != Act.Verb.ASK);
        }
        return withoutParts(best);
    }

    private Course shorter(Course best, Predicate<Act> kept) {
        var some = best.made().stream().map(Course.Made::act).filter(kept).toList();
        return attempt(some, best.made().size() - 1).orElse(best);
    }

    /** Leaves out halves, quarters … and in the end single moves, until none of these can be left out. */
    private Course withoutParts(Course course) {
        var best = course;
        int size = Math.max(1, best.made().size() / 2);
        while (size > 0) {
            int before = best.made().size();
            for (int at = 0; at < best.made().size(); ) {
                var acts = new ArrayList<>(
                        best.made().stream().map(Course.Made::act).toList());
                acts.subList(at, Math.min(acts.size(), at + size)).clear();
                var next = attempt(acts, best.made().size() - 1);
                at += next.isPresent() ? 0 : size;
                best = next.orElse(best);
            }
            size = size > 1 || best.made().size() == before ? size / 2 : 1;
        }
        return best;
    }

    /** Makes what can be made of it, and what must come after it, in at most so many moves, until it is violated. */
    private Optional<Course> attempt(List<Act> acts, int most) {
        var course = player.begin(given);
        var next = acts.iterator();
        while (!player.violates(course, violated)) {
            var option = violated.equals(Report.PROTOCOL_BUG) ? course.bug() : Optional.<Course.Option>empty();
            while (option.isEmpty() && next.hasNext()) {
                option = course.findNear(next.next());
            }
            if (isJudgedAtRest()) {
                option = option.or(course::due);
            }
            if (option.isEmpty()
                    || course.made().size() >= most
                    || moves++ >= PATIENCE / scope.topology().size()) {
                return Optional.empty();
            }
            course.go(option.get());
        }
        return Optional.of(course);
    }

    /** A shortest run in which nothing happens more often, and as little as can be; nothing if that takes too long. */
    private Optional<Schedule> search(Schedule shorter) {
        var world = shorter.exactly(scope);
        for (Scope less : lessThan(world)) {
            var found = search(less, shorter.size(), STATES / 5);
            if (found.isPresent()) {
                return search(found.get()).or(() -> found);
            }
        }
        return search(world, shorter.size(), STATES);
    }

    private Optional<Schedule> search(Scope world, int most, int states) {
        var left = Duration.ofNanos(deadline - System.nanoTime());
        if (left.isNegative()) {
            return Optional.empty();
        }
        var effort = Effort.ample()
                .stoppingAtViolation()
                .depth(isJudgedAtRest() ? most : most - 1)
                .states(states)
                .time(left);
        var judged = property().stream().toArray(Property[]::new);
        return Checker.check(protocol, world.spending(effort), judged)
                .find(violated)
                .map(Report.Finding::schedule)
                .filter(schedule -> schedule.size() > 0);
    }

    /** Each with one caller, one call, one alarm or one fault less. */
    private static List<Scope> lessThan(Scope world) {
        var less = new ArrayList<Scope>();
        for (var caller : world.callers().toList()) {
            less.add(world.calling(world.callers().without(caller), world.calls()));
        }
        if (world.calls() > 1) {
            less.add(world.entering(world.calls() - 1));
        }
        world.hazards().forEach((hazard, often) -> {
            if (often > 0) {
                less.add(world.allowing(hazard, often - 1));
            }
        });
        if (world.alarms() > 0) {
            less.add(world.ringing(world.alarms() - 1));
        }
        return less;
    }
}
