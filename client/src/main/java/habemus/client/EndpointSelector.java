package habemus.client;

import static java.util.Comparator.comparing;

import habemus.client.environment.ClientEnvironment;
import habemus.client.environment.Endpoint;
import habemus.lockservice.protocol.ClientFrame;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Knows the endpoints of the service, and selects the next one to connect to. Used by the driver only. */
final class EndpointSelector {

    private static final long MIN_BACKOFF_NANOS = Duration.ofMillis(20).toNanos();
    private static final long MAX_BACKOFF_NANOS = Duration.ofMillis(320).toNanos();

    /** After this time a failure does not count any more. */
    private static final long FORGET_FAILURE_AFTER_NANOS = Duration.ofSeconds(5).toNanos();

    /**
     * The failures of an endpoint since its last success.
     *
     * @param number position of the last failure among all failures
     * @param isSilent whether the node has not even answered a connection
     */
    private record EndpointFailure(int count, long number, long atNanos, boolean isSilent, String reason) {}

    private final ClientEnvironment environment;
    private final List<Endpoint> configured;
    private final Map<Endpoint, EndpointFailure> failures = new HashMap<>();
    private List<Endpoint> known;
    private Optional<Endpoint> leader = Optional.empty();
    private long failureCount;
    private @Nullable String description; // of the failures; null if it has to be made again

    EndpointSelector(List<String> addresses, ClientEnvironment environment) {
        this.environment = environment;
        configured = addresses.stream().map(Endpoint::of).distinct().toList();
        known = configured;
    }

    /**
     * Returns the leader's endpoint if it has no recent failure; else the endpoint whose last failure is the oldest.
     * Silent nodes come last: the others may only be waiting for a leader.
     */
    Endpoint next(Optional<Endpoint> excluded) {
        var others = known.stream()
                .filter(endpoint -> !excluded.equals(Optional.of(endpoint)))
                .toList();
        var candidates = others.isEmpty() ? known : others;
        return leader.filter(candidates::contains)
                .filter(this::isUsable)
                .orElseGet(() -> candidates.stream()
                        .min(comparing(this::isSilent).thenComparingLong(this::lastFailure))
                        .orElseThrow());
    }

    private boolean isUsable(Endpoint endpoint) {
        var failure = failures.get(endpoint);
        return failure == null || isForgotten(failure);
    }

    private boolean isForgotten(EndpointFailure failure) {
        return environment.loop().nanoTime() - failure.atNanos > FORGET_FAILURE_AFTER_NANOS;
    }

    private boolean isSilent(Endpoint endpoint) {
        var failure = failures.get(endpoint);
        return failure != null && failure.isSilent && !isForgotten(failure);
    }

    private long lastFailure(Endpoint endpoint) {
        return Optional.ofNullable(failures.get(endpoint))
                .map(EndpointFailure::number)
                .orElse(0L);
    }

    /** Grows with every failure, and is random, so that the clients of a failed node do not reconnect at once. */
    Duration backoffBefore(Endpoint endpoint) {
        int count = Optional.ofNullable(failures.get(endpoint))
                .map(EndpointFailure::count)
                .orElse(0);
        if (count == 0) {
            return Duration.ZERO;
        }
        long max = Math.min(MAX_BACKOFF_NANOS, MIN_BACKOFF_NANOS << Math.min(count, 10));
        return Duration.ofNanos(environment.random().nextLong(max / 2, max));
    }

    /** @param isSilent whether the node has not even answered a connection */
    void onFailure(Endpoint endpoint, boolean isSilent, String reason) {
        long now = environment.loop().nanoTime();
        description = null;
        failures.merge(
                endpoint,
                new EndpointFailure(1, ++failureCount, now, isSilent, reason),
                (old, last) -> new EndpointFailure(old.count + 1, last.number, now, isSilent, reason));
    }

    void onSuccess(Endpoint endpoint) {
        if (failures.remove(endpoint) != null) {
            description = null;
        }
    }

    /** Learns the endpoints of all nodes. The configured endpoints stay known. */
    void refreshEndpoints(ClientFrame.Welcome welcome) {
        var all = new LinkedHashSet<Endpoint>();
        welcome.endpoints().forEach(address -> all.add(Endpoint.of(address)));
        // the second endpoint is the leader's, even if the node itself leads
        leader = welcome.endpoints().stream().skip(1).findFirst().map(Endpoint::of);
        all.addAll(configured);
        known = List.copyOf(all);
        description = null;
    }

    /** {@return the leader's endpoint, if it is another one and has no recent failure} */
    Optional<Endpoint> betterThan(Endpoint here) {
        return leader.filter(endpoint -> !endpoint.equals(here) && isUsable(endpoint));
    }

    /** {@code a:7900: Connection refused; b:7900: no answer} */
    String describeFailures() {
        if (description == null) {
            description = known.stream()
                    .flatMap(endpoint ->
                            Stream.ofNullable(failures.get(endpoint)).map(failure -> endpoint + ": " + failure.reason))
                    .collect(Collectors.joining("; "));
        }
        return description;
    }
}
