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
 * Shrinks a run with a violation. It removes moves part by part (delta debugging). Then it checks all runs with no more
 * faults, timeouts and requests than the rest.
 *
 * <p>A schedule has no times. In a synchronous scope timers fire, and detectors report, whenever no message is in
 * flight. In an asynchronous one they do so at any time, even if no simulated run could. So a violation in an
 * asynchronous scope may not exist where messages are faster than timers.
 */
final class Shrinker {

    /** The most executed moves, times the nodes: takes seconds, and gives the same result on every machine. */
    private static final int MAX_MOVES_TIMES_NODES = 1_000_000;

    /** The most moves that a simulated run may need to reach a quiescent state. */
    private static final int MAX_EXTRA_MOVES = 200;

    private static final int MAX_STATES = 500_000;
    private static final Duration TIME_LIMIT = Duration.ofSeconds(8);

    private final Protocol<?, ?> protocol;
    private final Scope scope;
    private final String violated;
    private final Schedule original;
    private final SchedulePlayer player;
    private final long deadlineNanos = System.nanoTime() + TIME_LIMIT.toNanos();
    private int triedMoves;

    /** @param violated as in {@link CheckReport.Finding#name} */
    Shrinker(Protocol<?, ?> protocol, Scope scope, String violated, Schedule original) {
        this.protocol = protocol;
        this.scope = scope;
        this.violated = violated;
        this.original = original;
        player = new SchedulePlayer(
                protocol,
                original.unboundedScope(scope),
                property().map(List::of).orElse(List.of()));
    }

    private Optional<Property> property() {
        return Property.find(violated);
    }

    private boolean isCheckedAtQuiescence() {
        return property()
                .filter(property -> property.when() != Property.When.ALWAYS)
                .isPresent();
    }

    /** Empty if the moves of the run, without their times, do not show the violation. */
    Optional<ShrinkResult> shrink() {
        var moves = SchedulePlayer.withoutStarts(original);
        return attempt(moves, 2 * moves.size() + MAX_EXTRA_MOVES).map(run -> {
            var shorter = player.begin(original).schedule(withoutUnneeded(run).executed());
            var shortest = search(shorter);
            var best = ModelChecker.playReadable(protocol, scope, shortest.orElse(shorter));
            return new ShrinkResult(best, scope.timers().timing(), moves.size(), shortest.isPresent());
        });
    }

    /** Removes the nodes and the requests that are not needed, then single moves. */
    private ScheduledRun withoutUnneeded(ScheduledRun run) {
        var best = run;
        for (var node : scope.topology().nodes()) {
            best = tryKeeping(best, move -> !move.node().equals(node));
            best = tryKeeping(best, move -> !move.node().equals(node) || move.verb() != Move.Verb.REQUEST);
        }
        return withoutParts(best);
    }

    private ScheduledRun tryKeeping(ScheduledRun best, Predicate<Move> kept) {
        var moves = best.executed().stream()
                .map(ScheduledRun.ExecutedMove::move)
                .filter(kept)
                .toList();
        return attempt(moves, best.executed().size() - 1).orElse(best);
    }

    /** Removes halves, quarters and so on down to single moves, until no single move can be removed. */
    private ScheduledRun withoutParts(ScheduledRun run) {
        var best = run;
        int size = Math.max(1, best.executed().size() / 2);
        while (size > 0) {
            int before = best.executed().size();
            for (int at = 0; at < best.executed().size(); ) {
                var moves = new ArrayList<>(best.executed().stream()
                        .map(ScheduledRun.ExecutedMove::move)
                        .toList());
                moves.subList(at, Math.min(moves.size(), at + size)).clear();
                var next = attempt(moves, best.executed().size() - 1);
                at += next.isPresent() ? 0 : size;
                best = next.orElse(best);
            }
            size = size > 1 || best.executed().size() == before ? size / 2 : 1;
        }
        return best;
    }

    /** Executes the moves that are possible, then those that must happen, until the violation or the limit. */
    private Optional<ScheduledRun> attempt(List<Move> moves, int maxMoves) {
        var run = player.begin(original);
        var next = moves.iterator();
        while (!player.violates(run, violated)) {
            var nextMove = violated.equals(CheckReport.PROTOCOL_BUG)
                    ? run.findFailing()
                    : Optional.<ScheduledRun.NextMove>empty();
            while (nextMove.isEmpty() && next.hasNext()) {
                nextMove = run.findSimilar(next.next());
            }
            if (isCheckedAtQuiescence()) {
                nextMove = nextMove.or(run::findObligation);
            }
            if (nextMove.isEmpty()
                    || run.executed().size() >= maxMoves
                    || triedMoves++ >= MAX_MOVES_TIMES_NODES / scope.topology().size()) {
                return Optional.empty();
            }
            run.execute(nextMove.get());
        }
        return Optional.of(run);
    }

    /** A shortest run in a scope that allows as little as possible; empty if the search takes too long. */
    private Optional<Schedule> search(Schedule shorter) {
        var limited = shorter.boundedScope(scope);
        for (Scope smaller : smallerScopes(limited)) {
            var found = search(smaller, shorter.size(), MAX_STATES / 5);
            if (found.isPresent()) {
                return search(found.get()).or(() -> found);
            }
        }
        return search(limited, shorter.size(), MAX_STATES);
    }

    private Optional<Schedule> search(Scope limited, int maxMoves, int maxStates) {
        var remaining = Duration.ofNanos(deadlineNanos - System.nanoTime());
        if (remaining.isNegative()) {
            return Optional.empty();
        }
        var options = CheckOptions.defaults()
                .withStop(CheckOptions.Stop.AT_FIRST_VIOLATION)
                .withMaxDepth(isCheckedAtQuiescence() ? maxMoves : maxMoves - 1)
                .withMaxStates(maxStates)
                .withTimeLimit(remaining);
        var checked = property().stream().toArray(Property[]::new);
        return ModelChecker.check(protocol, limited.withOptions(options), checked)
                .find(violated)
                .map(CheckReport.Finding::schedule)
                .filter(schedule -> schedule.size() > 0);
    }

    /** The scopes with one requesting node, one request, one timeout or one fault less. */
    private static List<Scope> smallerScopes(Scope limited) {
        var smaller = new ArrayList<Scope>();
        for (var node : limited.requests().nodes().toList()) {
            smaller.add(limited.withRequests(
                    limited.requests().nodes().without(node), limited.requests().perNode()));
        }
        if (limited.requests().perNode() > 1) {
            smaller.add(limited.withRequestsPerNode(limited.requests().perNode() - 1));
        }
        limited.faults().limits().forEach((faultKind, times) -> {
            if (times > 0) {
                smaller.add(limited.withFault(faultKind, times - 1));
            }
        });
        if (limited.timers().maxTimeouts() > 0) {
            smaller.add(limited.withMaxTimeouts(limited.timers().maxTimeouts() - 1));
        }
        return smaller;
    }
}
