package habemus.client;

import habemus.fenced.Session;
import habemus.fenced.Session.Alarm;
import habemus.fenced.Session.Phase;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** One session, from its opening to its end. Only the driver's thread changes it; anybody may ask for the time. */
final class Life {

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
        Stream.of(Alarm.DEADLINE, Alarm.OTHER_DEADLINE)
                .filter(alarms::containsKey)
                .map(alarms::get)
                .min((one, other) -> Long.signum(one - other))
                .ifPresent(earlier -> deadline = earlier);
    }

    /** How long nothing rings. */
    long quiet(long now) {
        return alarms.values().stream().mapToLong(due -> due - now).min().orElse(Long.MAX_VALUE);
    }

    /** Takes out an alarm that is due; a deadline before all others. */
    Optional<Alarm> due(long now) {
        var order = List.of(Alarm.DEADLINE, Alarm.OTHER_DEADLINE, Alarm.RENEW, Alarm.RETRY);
        var due = order.stream().filter(alarm -> isDue(alarm, now)).findFirst();
        due.ifPresent(alarms::remove);
        return due;
    }

    private boolean isDue(Alarm alarm, long now) {
        Long at = alarms.get(alarm);
        return at != null && at - now <= 0;
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
