package habemus.check;

import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.protocol.Protocol;
import habemus.world.Property;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The largest bypass of a world, and of the same world with fewer requests of each node. A finite world always has a
 * largest bypass. Whether it grows with the requests tells if that is a bound.
 *
 * @param bypasses by the number of requests of each node: ends with the world itself, starts as low as was checked
 */
public record BypassGrowth(List<Integer> bypasses) {

    public BypassGrowth {
        bypasses = List.copyOf(bypasses);
    }

    /**
     * Checks the worlds with fewer requests, the largest first, as far as the limits of the scope allow.
     *
     * @param time for all of these worlds together
     * @param report of the scope, with a largest bypass
     */
    public static BypassGrowth of(Protocol<?, ?> protocol, Scope scope, CheckReport report, Duration time) {
        long deadline = System.nanoTime() + time.toNanos();
        var bypasses = new ArrayList<Integer>();
        bypasses.add(report.maxBypass().orElseThrow());
        int requests = scope.requests().perNode() == Scope.UNBOUNDED
                ? 0
                : scope.requests().perNode() - 1;
        for (boolean isKnown = true; isKnown && requests > 0; requests--) {
            var options = scope.options()
                    .withTimeLimit(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())))
                    .withStop(CheckOptions.Stop.NEVER);
            var smaller = ModelChecker.check(
                    protocol, scope.withRequestsPerNode(requests).withOptions(options), Property.BOUNDED_WAITING);
            isKnown = smaller.maxBypass().isPresent();
            smaller.maxBypass().ifPresent(bypasses::add);
        }
        return new BypassGrowth(bypasses.reversed());
    }

    public int largest() {
        return bypasses.getLast();
    }

    /** For example {@code largest bypass 6, grows: 2, 4, 6}. */
    @Override
    public String toString() {
        if (bypasses.size() == 1) {
            return "largest bypass " + largest();
        }
        boolean grows = largest() > bypasses.get(bypasses.size() - 2);
        return "largest bypass " + largest() + (grows ? ", grows: " : ", does not grow: ")
                + bypasses.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
