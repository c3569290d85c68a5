package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.client.environment.Endpoint;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.ClientSession;
import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The whole client on one thread, in virtual time. */
class VirtualTimeTest {

    private static final Duration LEASE = Duration.ofSeconds(10);

    private final VirtualEnvironment world = new VirtualEnvironment(1);
    private final Habemus client = connect(world);

    private static Habemus connect(VirtualEnvironment world) {
        return world.environment()
                .with(() -> Habemus.connect(ClientOptions.to("n1:1").withLease(LEASE)));
    }

    private Grant acquire(String lock) {
        var future = client.lock(lock).acquireAsync();
        world.runFor(Duration.ofSeconds(1));
        return future.getNow(null);
    }

    /** Acquires, loses the lease in a partition, acquires again in a new session, releases and closes. */
    private static List<String> story(VirtualEnvironment world) {
        var client = connect(world);
        var unused = client.lock("orders").acquireAsync().thenAccept(grant -> {
            world.record("granted " + grant.fence());
            grant.onLost(reason -> world.record("lost, " + reason));
        });
        client.election("scheduler").campaign(new Candidate() {
            @Override
            public void onElected(long term) {
                world.record("elected in term " + term);
            }

            @Override
            public void onDeposed(long term, LossReason reason) {
                world.record("deposed in term " + term + ", " + reason);
            }
        });
        world.runFor(Duration.ofSeconds(30));
        world.partition(true);
        world.runFor(Duration.ofSeconds(20));
        world.partition(false);
        var released = client.lock("orders").acquireAsync().thenAccept(Grant::close);
        world.runFor(Duration.ofSeconds(5));
        client.close();
        world.runFor(Duration.ofSeconds(30));
        assertThat(released).isCompleted();
        return world.trace();
    }

    @Test
    void two_runs_with_the_same_seed_have_the_same_trace() {
        assertThat(story(new VirtualEnvironment(7))).isEqualTo(story(new VirtualEnvironment(7)));
    }

    @Test
    void the_seed_decides_nonces_and_delays() {
        assertThat(story(new VirtualEnvironment(7))).isNotEqualTo(story(new VirtualEnvironment(8)));
    }

    @Test
    void callbacks_come_in_the_order_of_their_causes() {
        assertThat(story(new VirtualEnvironment(1)).stream()
                        .map(line -> line.replaceFirst("\\d+ ms: ", ""))
                        .filter(line -> line.matches("(granted|lost|elected|deposed|partitioned|healed).*")))
                .containsExactly(
                        "granted 101",
                        "elected in term 102",
                        "partitioned",
                        "lost, no renewal was acknowledged in time",
                        "deposed in term 102, no renewal was acknowledged in time",
                        "healed",
                        "elected in term 201",
                        "deposed in term 201, it was released");
    }

    @Test
    void a_grant_is_lost_when_the_lease_of_the_last_acknowledged_renewal_ends_by_the_clock_of_the_loop() {
        var grant = acquire("orders");
        var reasons = new StringBuilder();
        grant.onLost(reason -> reasons.append(reason));
        world.partition(true);
        world.runFor(ClientSession.localLease(LEASE).minus(world.elapsed()).minusNanos(1));
        assertThat(grant.isValid()).isTrue();
        assertThat(reasons.toString()).isEmpty();
        world.runFor(Duration.ofNanos(1));
        assertThat(reasons).hasToString(new LossReason.LeaseExpired().toString());
        assertThat(grant.isValid()).isFalse();
    }

    /** The pause begins when the acknowledgement waits in the loop, and ends before the deadline that it would set. */
    @Test
    void after_a_pause_a_due_deadline_fires_before_an_acknowledgement_that_came_too_late() {
        var grant = acquire("orders");
        var reasons = new StringBuilder();
        grant.onLost(reason -> reasons.append(reason));
        while (world.trace().stream().noneMatch(line -> line.contains("Renew["))) {
            world.runFor(Duration.ofMillis(1));
        }
        var pause = ClientSession.localLease(LEASE).minusSeconds(1);
        world.schedule(Duration.ofMillis(1), () -> world.pauseFor(pause));
        world.runFor(Duration.ofMillis(1));
        world.runFor(Duration.ofMillis(100));
        assertThat(world.trace()).anyMatch(line -> line.contains("Renewed["));
        assertThat(reasons).hasToString(new LossReason.LeaseExpired().toString());
    }

    @Test
    void a_method_that_has_to_wait_is_rejected_on_the_event_loop() {
        var lock = client.lock("orders");
        assertThatThrownBy(lock::acquire).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::tryAcquire).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> lock.acquire(LEASE)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(lock::describe).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void a_closed_client_sets_no_timer() {
        acquire("orders");
        client.close();
        world.runFor(Duration.ofSeconds(1));
        var before = world.trace();
        world.runFor(Duration.ofHours(1));
        assertThat(world.trace()).isEqualTo(before);
    }

    @Test
    void a_connection_has_a_full_backlog_after_10_000_unanswered_frames() {
        var listener = new NodeConnection.Listener() {
            @Override
            public void onFrame(NodeConnection from, ClientFrame.ToClient frame) {}

            @Override
            public void onBroken(NodeConnection broken, String reason) {}
        };
        var connection = new NodeConnection(Endpoint.of("n1:1"), new NodeId(1), world, listener, Duration.ZERO);
        for (int number = 1; number <= 10_000; number++) {
            connection.send(new ClientFrame.ListDeadlocks(number));
        }
        assertThat(connection.isBacklogFull()).isFalse();
        connection.send(new ClientFrame.ListDeadlocks(0));
        assertThat(connection.isBacklogFull()).isTrue();
        connection.onAnswer();
        assertThat(connection.isBacklogFull()).isFalse();
    }
}
