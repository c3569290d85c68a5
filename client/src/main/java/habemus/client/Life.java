package habemus.client;

import static java.util.Objects.requireNonNull;

import habemus.fenced.Session;
import habemus.fenced.Session.Alarm;
import habemus.fenced.Session.Phase;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One session, from its opening to its end. Only the driver's thread changes it; anybody may ask for the time. */
final class Life {

    private static final List<Alarm> ORDER = List.of(Alarm.DEADLINE, Alarm.OTHER_DEADLINE, Alarm.RENEW, Alarm.RETRY);

    private final Session machine;
    private final EnumMap<Alarm, Long> alarms = new EnumMap<>(Alarm.class);
    private final Map<Long, Request> requests = new LinkedHashMap<>();
    private Session.State state;
    private volatile long deadline = System.nanoTime();
    private volatile boolean over;

    Life(Session machine, Session.State state) {
        this.machine = machine;
        this.state = state;
    }

    Session machine() {
        return machine;
    }

    Session.State state() {
        return state;
    }

    void be(Session.State next) {
        state = next;
    }

    boolean isSession(long id) {
        return state.phase() instanceof Phase.Live(var own, var nonce) && own == id;
    }

    boolean isLive() {
        return state.phase() instanceof Phase.Live;
    }

    void wake(Alarm alarm, long due) {
        alarms.put(alarm, due);
    }

    void calm(Alarm alarm) {
        alarms.remove(alarm);
    }

    /** The earlier of those that are set; so that anybody can compare it with the clock. */
    void publishDeadline() {
        Long one = alarms.get(Alarm.DEADLINE);
        Long other = alarms.get(Alarm.OTHER_DEADLINE);
        if (one != null || other != null) {
            deadline = one == null || other != null && other - one < 0 ? requireNonNull(other) : one;
        }
    }

    /** How long nothing rings. */
    long quiet(long now) {
        long quiet = Long.MAX_VALUE;
        for (long due : alarms.values()) {
            quiet = Math.min(quiet, due - now);
        }
        return quiet;
    }

    /** Takes out an alarm that is due; a deadline before all others. */
    Optional<Alarm> due(long now) {
        for (var alarm : ORDER) {
            Long at = alarms.get(alarm);
            if (at != null && at - now <= 0) {
                alarms.remove(alarm);
                return Optional.of(alarm);
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
        alarms.clear();
    }

    void keep(long number, Request request) {
        requests.put(number, request);
    }

    void forget(long number) {
        requests.remove(number);
    }

    Optional<Request> request(long number) {
        return Optional.ofNullable(requests.get(number));
    }

    List<Request> requests() {
        return List.copyOf(requests.values());
    }
}
