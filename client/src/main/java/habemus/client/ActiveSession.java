package habemus.client;

import static java.util.Objects.requireNonNull;

import habemus.lockservice.protocol.ClientSession;
import habemus.lockservice.protocol.ClientSession.Phase;
import habemus.lockservice.protocol.ClientSession.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One session, from its opening to its end. Only the driver's thread changes it; anybody may ask for the time. */
final class ActiveSession {

    private static final List<Timer> ORDER = List.of(Timer.DEADLINE, Timer.OTHER_DEADLINE, Timer.RENEW, Timer.RETRY);

    private final ClientSession machine;
    private final EnumMap<Timer, Long> timers = new EnumMap<>(Timer.class);
    private final Map<Long, PendingRequest> pendingRequests = new LinkedHashMap<>();
    private ClientSession.State state;
    private volatile long deadline = System.nanoTime();
    private volatile boolean over;

    ActiveSession(ClientSession machine, ClientSession.State state) {
        this.machine = machine;
        this.state = state;
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
        return state.phase() instanceof Phase.Live;
    }

    void setTimer(Timer timer, long due) {
        timers.put(timer, due);
    }

    void cancelTimer(Timer timer) {
        timers.remove(timer);
    }

    /** The earlier of those that are set; so that anybody can compare it with the clock. */
    void publishDeadline() {
        Long one = timers.get(Timer.DEADLINE);
        Long other = timers.get(Timer.OTHER_DEADLINE);
        if (one != null || other != null) {
            deadline = one == null || other != null && other - one < 0 ? requireNonNull(other) : one;
        }
    }

    /** How long nothing rings. */
    long nanosUntilNextTimer(long now) {
        long quiet = Long.MAX_VALUE;
        for (long due : timers.values()) {
            quiet = Math.min(quiet, due - now);
        }
        return quiet;
    }

    /** Takes out an alarm that is due; a deadline before all others. */
    Optional<Timer> pollDueTimer(long now) {
        for (var timer : ORDER) {
            Long at = timers.get(timer);
            if (at != null && at - now <= 0) {
                timers.remove(timer);
                return Optional.of(timer);
            }
        }
        return Optional.empty();
    }

    /** How long what is held is good, if nothing more is heard of the service; zero if it is not. */
    Duration remaining() {
        long left = deadline - System.nanoTime();
        return over || left <= 0 ? Duration.ZERO : Duration.ofNanos(left);
    }

    void end() {
        over = true;
        timers.clear();
    }

    void addRequest(long number, PendingRequest pendingRequest) {
        pendingRequests.put(number, pendingRequest);
    }

    void removeRequest(long number) {
        pendingRequests.remove(number);
    }

    Optional<PendingRequest> request(long number) {
        return Optional.ofNullable(pendingRequests.get(number));
    }

    List<PendingRequest> requests() {
        return List.copyOf(pendingRequests.values());
    }
}
