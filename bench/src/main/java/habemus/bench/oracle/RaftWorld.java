package habemus.bench.oracle;

import habemus.check.model.CheckOptions;
import habemus.check.model.Scope;
import habemus.world.FaultKind;
import habemus.world.Topology;
import java.time.Duration;
import java.util.regex.Pattern;

/**
 * A small world of three nodes whose messages overtake each other, for both checkers.
 *
 * @param timeouts election timeouts in one run
 * @param requests proposals of clients in one run
 * @param tailLosses crashes that lose entries that are not synced
 * @param never a pattern of node states in which the search of the machine ends; empty for none
 */
record RaftWorld(
        String name,
        int timeouts,
        int requests,
        int drops,
        int duplicates,
        int restarts,
        int tailLosses,
        String never) {

    static RaftWorld of(String name, int timeouts, int requests) {
        return new RaftWorld(name, timeouts, requests, 0, 0, 0, 0, "");
    }

    RaftWorld withDrops(int times) {
        return new RaftWorld(name, timeouts, requests, times, duplicates, restarts, tailLosses, never);
    }

    RaftWorld withDuplicates(int times) {
        return new RaftWorld(name, timeouts, requests, drops, times, restarts, tailLosses, never);
    }

    RaftWorld withRestarts(int times) {
        return new RaftWorld(name, timeouts, requests, drops, duplicates, times, tailLosses, never);
    }

    RaftWorld withTailLosses(int times) {
        return new RaftWorld(name, timeouts, requests, drops, duplicates, restarts, times, never);
    }

    RaftWorld withNever(String pattern) {
        return new RaftWorld(name, timeouts, requests, drops, duplicates, restarts, tailLosses, pattern);
    }

    /** The bounds of the module RaftOracle. */
    String constants() {
        return """
                MaxTimeouts = %d
                MaxRequests = %d
                MaxDrops = %d
                MaxDuplicates = %d
                MaxRestarts = %d
                MaxTailLosses = %d
                """.formatted(timeouts, requests, drops, duplicates, restarts, tailLosses);
    }

    Scope scope(Duration timeLimit) {
        int crashes = restarts + tailLosses;
        return links().withMaxTimeouts(timeouts)
                .withLogCalls(new Scope.LogCalls(requests, 0, 0, 0, 0))
                .withFault(FaultKind.LOSS, drops)
                .withFault(FaultKind.DUPLICATION, duplicates)
                .withFault(FaultKind.CRASH, crashes)
                .withFault(FaultKind.RESTART, crashes)
                .withFault(FaultKind.TAIL_LOSS, tailLosses)
                .withOptions(CheckOptions.defaults()
                        .withTimeLimit(timeLimit)
                        .withStop(CheckOptions.Stop.AT_FIRST_VIOLATION));
    }

    private Scope links() {
        var scope = Scope.of(Topology.complete(3)).withUnorderedLinks();
        if (never.isEmpty()) {
            return scope;
        }
        var pattern = Pattern.compile(never);
        return scope.withBound(new Scope.Bound(
                "the plan of the defect",
                state -> !pattern.matcher(state.toString()).find()));
    }
}
