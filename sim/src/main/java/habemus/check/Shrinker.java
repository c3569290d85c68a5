package habemus.check;

import habemus.check.counterexample.SchedulePlayer;
import habemus.check.counterexample.ScheduledRun;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Move;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
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
    private static final int MAX_MOVES_TIMES_NODES = 1_000_000;

    /** So many moves may a simulated run still be away from rest. */
    private static final int MAX_EXTRA_MOVES = 200;

    private static final int MAX_STATES = 500_000;
    private static final Duration TIME_LIMIT = Duration.ofSeconds(8);

    private final Protocol<?, ?> protocol;
    private final Scope scope;
    private final String violated;
    private final Schedule original;
    private final SchedulePlayer schedulePlayer;
    private final long deadline = System.nanoTime() + TIME_LIMIT.toNanos();
    private int triedMoves; // that were tried

    /** @param violated as in {@link CheckReport.Finding#name} */
    Shrinker(Protocol<?, ?> protocol, Scope scope, String violated, Schedule given) {
        this.protocol = protocol;
        this.scope = scope;
        this.violated = violated;
        this.original = given;
        schedulePlayer = new SchedulePlayer(
                protocol, given.unboundedScope(scope), property().map(List::of).orElse(List.of()));
    }

    private Optional<Property> property() {
        return Property.find(violated);
    }

    private boolean isCheckedAtQuiescence() {
        return property()
                .filter(property -> property.when() == Property.When.EVENTUALLY)
                .isPresent();
    }

    /** Nothing if the run violates nothing where nothing has a time. */
    Optional<ShrinkResult> shrink() {
        var acts = SchedulePlayer.withoutStarts(original);
        return attempt(acts, 2 * acts.size() + MAX_EXTRA_MOVES).map(scheduledRun -> {
            var shorter = schedulePlayer
                    .begin(original)
                    .schedule(withoutIdle(scheduledRun).executed());
            var shortest = search(shorter);
            var best = ModelChecker.playReadable(protocol, scope, shortest.orElse(shorter));
            return new ShrinkResult(best, scope.timing(), acts.size(), shortest.isPresent());
        });
    }

    /** Without the nodes and the callers that are not needed, then without single moves. */
    private ScheduledRun withoutIdle(ScheduledRun scheduledRun) {
        var best = scheduledRun;
        for (var node : scope.topology().nodes()) {
            best = tryKeeping(best, move -> !move.node().equals(node));
            best = tryKeeping(best, move -> !move.node().equals(node) || move.verb() != Move.Verb.REQUEST);
        }
        return withoutParts(best);
    }

    private ScheduledRun tryKeeping(ScheduledRun best, Predicate<Move> kept) {
        var some = best.executed().stream()
                .map(ScheduledRun.ExecutedMove::move)
                .filter(kept)
                .toList();
        return attempt(some, best.executed().size() - 1).orElse(best);
    }

    /** Leaves out halves, quarters … and in the end single moves, until none of these can be left out. */
    private ScheduledRun withoutParts(ScheduledRun scheduledRun) {
        var best = scheduledRun;
        int size = Math.max(1, best.executed().size() / 2);
        while (size > 0) {
            int before = best.executed().size();
            for (int at = 0; at < best.executed().size(); ) {
                var acts = new ArrayList<>(best.executed().stream()
                        .map(ScheduledRun.ExecutedMove::move)
                        .toList());
                acts.subList(at, Math.min(acts.size(), at + size)).clear();
                var next = attempt(acts, best.executed().size() - 1);
                at += next.isPresent() ? 0 : size;
                best = next.orElse(best);
            }
            size = size > 1 || best.executed().size() == before ? size / 2 : 1;
        }
        return best;
    }

    /** Makes what can be made of it, and what must come after it, in at most so many moves, until it is violated. */
    private Optional<ScheduledRun> attempt(List<Move> acts, int most) {
        var scheduledRun = schedulePlayer.begin(original);
        var next = acts.iterator();
        while (!schedulePlayer.violates(scheduledRun, violated)) {
            var nextMove = violated.equals(CheckReport.PROTOCOL_BUG)
                    ? scheduledRun.findFailing()
                    : Optional.<ScheduledRun.NextMove>empty();
            while (nextMove.isEmpty() && next.hasNext()) {
                nextMove = scheduledRun.findSimilar(next.next());
            }
            if (isCheckedAtQuiescence()) {
                nextMove = nextMove.or(scheduledRun::findObligation);
            }
            if (nextMove.isEmpty()
                    || scheduledRun.executed().size() >= most
                    || triedMoves++ >= MAX_MOVES_TIMES_NODES / scope.topology().size()) {
                return Optional.empty();
            }
            scheduledRun.execute(nextMove.get());
        }
        return Optional.of(scheduledRun);
    }

    /** A shortest run in which nothing happens more often, and as little as can be; nothing if that takes too long. */
    private Optional<Schedule> search(Schedule shorter) {
        var world = shorter.boundedScope(scope);
        for (Scope less : smallerScopes(world)) {
            var found = search(less, shorter.size(), MAX_STATES / 5);
            if (found.isPresent()) {
                return search(found.get()).or(() -> found);
            }
        }
        return search(world, shorter.size(), MAX_STATES);
    }

    private Optional<Schedule> search(Scope world, int most, int states) {
        var left = Duration.ofNanos(deadline - System.nanoTime());
        if (left.isNegative()) {
            return Optional.empty();
        }
        var checkOptions = CheckOptions.defaults()
                .withStopAtViolation()
                .withMaxDepth(isCheckedAtQuiescence() ? most : most - 1)
                .withMaxStates(states)
                .withTimeLimit(left);
        var judged = property().stream().toArray(Property[]::new);
        return ModelChecker.check(protocol, world.withOptions(checkOptions), judged)
                .find(violated)
                .map(CheckReport.Finding::schedule)
                .filter(schedule -> schedule.size() > 0);
    }

    /** Each with one caller, one call, one alarm or one fault less. */
    private static List<Scope> smallerScopes(Scope world) {
        var less = new ArrayList<Scope>();
        for (var caller : world.requesters().toList()) {
            less.add(world.withRequests(world.requesters().without(caller), world.requestsPerNode()));
        }
        if (world.requestsPerNode() > 1) {
            less.add(world.withRequestsPerNode(world.requestsPerNode() - 1));
        }
        world.faultLimits().forEach((faultKind, often) -> {
            if (often > 0) {
                less.add(world.withFault(faultKind, often - 1));
            }
        });
        if (world.maxTimeouts() > 0) {
            less.add(world.withMaxTimeouts(world.maxTimeouts() - 1));
        }
        return less;
    }
}
