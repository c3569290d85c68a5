package habemus.client;

import static java.util.Comparator.comparing;

import habemus.lockservice.protocol.ClientFrame;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where nodes can be reached, which to try next, and how eagerly. For the driver's thread alone. */
final class EndpointSelector {

    private static final long SHORTEST_PAUSE = Duration.ofMillis(20).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofMillis(320).toNanos();

    /** After so long what leads is given another chance. */
    private static final long FORGIVEN = Duration.ofSeconds(5).toNanos();

    /** @param mute whether nothing shows that somebody is there */
    private record EndpointFailure(int times, long number, long at, boolean mute, String why) {

        private boolean isForgiven() {
            return System.nanoTime() - at > FORGIVEN;
        }
    }

    private final List<Endpoint> given;
    private final Map<Endpoint, EndpointFailure> endpointFailures = new HashMap<>();
    private List<Endpoint> known;
    private Optional<Endpoint> leading = Optional.empty();
    private long failures;

    EndpointSelector(List<String> doors) {
        given = doors.stream().map(Endpoint::of).distinct().toList();
        known = given;
    }

    /**
     * The leader's, if nothing is known against it; else the one without trouble, or whose trouble is the oldest. Nodes
     * that were mute come last: others may only be waiting for a leader.
     */
    Endpoint next(Optional<Endpoint> but) {
        var others = known.stream()
                .filter(endpoint -> !but.equals(Optional.of(endpoint)))
                .toList();
        var choice = others.isEmpty() ? known : others;
        return leading.filter(choice::contains)
                .filter(this::isFine)
                .orElseGet(() -> choice.stream()
                        .min(comparing(this::isMute).thenComparingLong(this::lastTrouble))
                        .orElseThrow());
    }

    private boolean isFine(Endpoint endpoint) {
        var endpointFailure = endpointFailures.get(endpoint);
        return endpointFailure == null || endpointFailure.isForgiven();
    }

    private boolean isMute(Endpoint endpoint) {
        var endpointFailure = endpointFailures.get(endpoint);
        return endpointFailure != null && endpointFailure.mute && !endpointFailure.isForgiven();
    }

    private long lastTrouble(Endpoint endpoint) {
        return Optional.ofNullable(endpointFailures.get(endpoint))
                .map(EndpointFailure::number)
                .orElse(0L);
    }

    /** Longer with every failure, and never the same for all clients of a node that is down. */
    Duration backoffBefore(Endpoint endpoint) {
        int times = Optional.ofNullable(endpointFailures.get(endpoint))
                .map(EndpointFailure::times)
                .orElse(0);
        if (times == 0) {
            return Duration.ZERO;
        }
        long most = Math.min(LONGEST_PAUSE, SHORTEST_PAUSE << Math.min(times, 10));
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(most / 2, most));
    }

    /** @param mute whether nothing shows that somebody is there */
    void onFailure(Endpoint endpoint, boolean mute, String why) {
        endpointFailures.merge(
                endpoint,
                new EndpointFailure(1, ++failures, System.nanoTime(), mute, why),
                (old, now) -> new EndpointFailure(old.times + 1, now.number, now.at, mute, why));
    }

    void onSuccess(Endpoint endpoint) {
        endpointFailures.remove(endpoint);
    }

    /** Whoever was named by the application stays known, whatever the nodes say. */
    void refreshEndpoints(ClientFrame.Welcome welcome) {
        var all = new LinkedHashSet<Endpoint>();
        welcome.endpoints().forEach(door -> all.add(Endpoint.of(door)));
        leading = welcome.endpoints().stream().skip(1).findFirst().map(Endpoint::of); // maybe the first one again
        all.addAll(given);
        known = List.copyOf(all);
    }

    /** Where it is better to be, if anywhere. */
    Optional<Endpoint> betterThan(Endpoint here) {
        return leading.filter(endpoint -> !endpoint.equals(here) && isFine(endpoint));
    }

    /** {@code a:7900: Connection refused; b:7900: no answer} */
    String describeFailures() {
        return known.stream()
                .flatMap(endpoint -> Stream.ofNullable(endpointFailures.get(endpoint))
                        .map(endpointFailure -> endpoint + ": " + endpointFailure.why))
                .collect(Collectors.joining("; "));
    }
}
