package habemus.client;

import static java.util.Objects.requireNonNull;

import habemus.concurrent.EventLoop;
import habemus.lockservice.protocol.ClientSession;
import habemus.lockservice.protocol.ClientSession.Phase;
import habemus.lockservice.protocol.ClientSession.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A session with its timers and requests, from its opening to its end. Only the driver uses it, except
 * {@link #remaining}, which any thread may call.
 */
final class ActiveSession {

    private static final List<Timer> BY_PRIORITY =
            List.of(Timer.DEADLINE, Timer.OTHER_DEADLINE, Timer.RENEW, Timer.RETRY);

    private final ClientSession machine;
    private final EnumMap<Timer, Long> timers = new EnumMap<>(Timer.class);
    private final Map<Long, PendingRequest> requests = new LinkedHashMap<>();
    private ClientSession.State state;
    private final EventLoop loop;
    private volatile long deadlineNanos;
    private volatile boolean isEnded;

    ActiveSession(ClientSession machine, ClientSession.State state, EventLoop loop) {
        this.machine = machine;
        this.state = state;
        this.loop = loop;
        deadlineNanos = loop.nanoTime();
    }

    ClientSession machine() {
        return machine;
    }

    ClientSession.State state() {
        return state;
    }

    void setState(ClientSession.State next) {
        state = next;
    }

    boolean isSession(long id) {
        return state.phase() instanceof Phase.Live(var own, var nonce) && own == id;
    }

    boolean isLive() {
        return state.isLive();
    }

    void setTimer(Timer timer, long dueNanos) {
        timers.put(timer, dueNanos);
    }

    void cancelTimer(Timer timer) {
        timers.remove(timer);
    }

    /** Publishes the earlier of the deadline timers for {@link #remaining}. */
    void publishDeadline() {
        Long first = timers.get(Timer.DEADLINE);
        Long other = timers.get(Timer.OTHER_DEADLINE);
        if (first != null || other != null) {
            deadlineNanos = first == null || other != null && other - first < 0 ? requireNonNull(other) : first;
        }
    }

    /** {@return when the next timer is due, by the clock of the loop} */
    Optional<Long> nextTimerNanos() {
        return timers.values().stream().min((one, other) -> Long.signum(one - other));
    }

    /** Removes and returns a timer that is due; deadlines come before all others. */
    Optional<Timer> pollDueTimer(long now) {
        for (var timer : BY_PRIORITY) {
            Long dueNanos = timers.get(timer);
            if (dueNanos != null && dueNanos - now <= 0) {
                timers.remove(timer);
                return Optional.of(timer);
            }
        }
        return Optional.empty();
    }

    /** {@return how long grants of this session stay valid without further acknowledgement; zero if they are not} */
    Duration remaining() {
        long remaining = deadlineNanos - loop.nanoTime();
        return isEnded || remaining <= 0 ? Duration.ZERO : Duration.ofNanos(remaining);
    }

    void end() {
        isEnded = true;
        timers.clear();
    }

    void addRequest(long number, PendingRequest request) {
        requests.put(number, request);
    }

    void removeRequest(long number) {
        requests.remove(number);
    }

    Optional<PendingRequest> request(long number) {
        return Optional.ofNullable(requests.get(number));
    }

    List<PendingRequest> requests() {
        return List.copyOf(requests.values());
    }
}
