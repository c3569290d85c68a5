package habemus.client;

import static habemus.client.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.Command;
import habemus.lockservice.Operation;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.ClientSession;
import habemus.lockservice.protocol.Message;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients whose node, service or own thread pauses or fails. */
@Timeout(30)
@Tag("slow")
class SessionLossTest {

    private static final Duration LEASE = Duration.ofMillis(800);

    private final FakeService service = new FakeService(3);

    @AfterEach
    void close() {
        service.close();
    }

    private ClientOptions options() {
        return ClientOptions.to(service.endpoints()).withName("one").withLease(LEASE);
    }

    @Test
    void a_session_stays_open_while_it_is_renewed() throws InterruptedException {
        var lease = Duration.ofSeconds(2);
        try (var client = Habemus.connect(options().withLease(lease));
                var grant = client.lock("orders").acquire()) {
            long end = System.nanoTime() + lease.multipliedBy(2).toNanos();
            until(() -> System.nanoTime() - end > 0 || !grant.isValid());
            assertThat(grant.isValid()).isTrue();
        }
    }

    @Test
    void the_holder_is_notified_before_another_client_is_granted() throws InterruptedException {
        try (var client = Habemus.connect(options());
                var two = Habemus.connect(options().withName("two").withLease(Duration.ofSeconds(20)))) {
            var grant = client.lock("orders").acquire();
            var notified = new AtomicLong();
            grant.onLost(() -> notified.set(System.nanoTime()));
            var next = two.lock("orders").acquireAsync();
            until(() -> service.table()
                            .resources()
                            .get(ResourceName.lock("orders"))
                            .orElseThrow()
                            .queue()
                            .size()
                    == 1);
            var session = service.table()
                    .holders(ResourceName.lock("orders"))
                    .getFirst()
                    .request()
                    .session();
            service.dropProposals(command -> command instanceof Command.RenewSessions(var renewals)
                    && renewals.stream().anyMatch(renewal -> renewal.session() == session));
            next.join();
            long granted = System.nanoTime();
            assertThat(grant.isValid()).isFalse();
            assertThat(notified.get()).isPositive();
            assertThat(granted - notified.get()).isPositive();
        }
    }

    @Test
    void after_a_pause_the_deadline_fires_before_a_waiting_acknowledgement() throws Exception {
        var driver = new SessionDriver(options(), ProcessEnvironment.of(options()));
        driver.awaitSession().get();
        var request = new AcquireRequest(driver, Operation.Acquire.of(ResourceShare.exclusive("orders")));
        driver.post(() -> driver.submit(request));
        var grant = ((AcquireResult.Granted) request.outcome().get()).grant();
        var order = new AtomicReference<>("");
        grant.onLost(reason -> order.updateAndGet(events -> events + "lost;"));
        // pauses the driver after a renewal was sent, until its acknowledgement waits and the deadline has passed
        long before = renewals();
        until(() -> renewals() > before);
        var paused = new CountDownLatch(1);
        driver.post(() -> {
            until(() -> !grant.remaining().isPositive());
            assertThat(grant.isValid()).isFalse();
            paused.countDown();
        });
        driver.post(() -> order.updateAndGet(events -> events + (driver.isLive() ? "alive;" : "ended;")));
        paused.await();
        until(() -> order.get().contains(";")
                && order.get().contains("lost")
                && order.get().length() > 8);
        assertThat(order.get()).contains("ended;").doesNotContain("alive");
        driver.stop();
    }

    private long renewals() {
        return service.received().stream()
                .filter(frame -> frame instanceof ClientFrame.Request(Message.Renew renew))
                .count();
    }

    @Test
    void a_waiting_request_survives_its_session_and_a_grant_does_not() throws Exception {
        try (var client = Habemus.connect(options());
                var two = Habemus.connect(options().withName("two").withLease(Duration.ofSeconds(20)))) {
            var held = two.lock("orders").acquire();
            var lost = client.lock("invoices").acquire();
            var waiting = client.lock("orders").acquireAsync();
            until(() -> service.table()
                            .resources()
                            .get(ResourceName.lock("orders"))
                            .orElseThrow()
                            .queue()
                            .size()
                    == 1);
            long session = service.table()
                    .holders(ResourceName.lock("invoices"))
                    .getFirst()
                    .request()
                    .session();
            service.commit(new Command.AdminCommand(new Command.AdminAction.Expire(session), "eve", "host:1", "test"));
            until(() -> !lost.isValid());
            held.close();
            assertThat(waiting.get().isValid()).isTrue();
            client.lock("invoices").acquire(Duration.ofSeconds(5)).close();
        }
    }

    @Test
    void a_release_without_a_result_has_an_unknown_outcome() throws InterruptedException {
        try (var client = Habemus.connect(options())) {
            var grant = client.lock("orders").acquire();
            service.dropProposals(command -> true);
            assertThatThrownBy(grant::release).isInstanceOf(OutcomeUnknownException.class);
            service.dropProposals(command -> false);
            client.lock("orders").acquire(Duration.ofSeconds(5)).close();
        }
    }

    @Test
    void the_client_switches_nodes_when_one_crashes() throws InterruptedException {
        try (var client = Habemus.connect(service.endpoints())) {
            var grant = client.lock("orders").acquire();
            service.setLeader(1);
            service.crash(0);
            grant.release();
            client.lock("orders").acquire(Duration.ofSeconds(5)).close();
        }
    }

    @Test
    void a_session_refuses_a_node_of_another_cluster() throws InterruptedException {
        try (var client = Habemus.connect(service.endpoints());
                var grant = client.lock("orders").acquire()) {
            service.setClusterId(1, "other");
            service.setLeader(1);
            service.crash(0);
            client.lock("invoices").acquire(Duration.ofSeconds(5)).close();
            assertThat(service.connections(2)).isEqualTo(1);
            assertThat(grant.isValid()).isTrue();
        }
    }

    @Test
    void the_client_learns_nodes_that_were_not_configured() throws InterruptedException {
        try (var client = Habemus.connect(service.endpoint(2))) {
            until(() -> service.connections(0) == 1 && service.connections(2) == 0);
            service.setLeader(1);
            until(() -> service.connections(1) == 1 && service.connections(0) == 0);
            service.crash(2);
            service.crash(1);
            client.lock("orders").acquire(Duration.ofSeconds(5)).close();
        }
    }

    @Test
    void a_client_connected_to_the_leader_stays_there() throws InterruptedException {
        try (var client = Habemus.connect(service.endpoints())) {
            for (int i = 0; i < 20; i++) {
                client.lock("orders").acquire(Duration.ofSeconds(5)).close();
            }
            assertThat(service.received())
                    .filteredOn(ClientFrame.Hello.class::isInstance)
                    .hasSize(1);
        }
    }

    @Test
    void broken_connections_lose_no_grants() throws InterruptedException {
        try (var client = Habemus.connect(service.endpoints());
                var grant = client.lock("orders").acquire()) {
            for (int i = 0; i < 10; i++) {
                service.breakConnections();
                client.lock("invoices").acquire(Duration.ofSeconds(5)).close();
                assertThat(grant.isValid()).isTrue();
            }
        }
    }

    @Test
    void requests_with_lost_replies_are_sent_again() throws InterruptedException {
        try (var client = Habemus.connect(options())) {
            var dropped = new AtomicLong();
            service.dropReplies(frame ->
                    frame instanceof ClientFrame.Reply(Message.Result result) && dropped.incrementAndGet() % 2 == 1);
            for (int i = 0; i < 5; i++) {
                client.lock("orders").acquire(Duration.ofSeconds(5)).close();
            }
            assertThat(service.table().history().size()).isEqualTo(5);
        }
    }

    /** Every commit takes twice the retry timeout of the session. */
    @Test
    void a_slow_service_does_not_make_the_client_fail() throws InterruptedException {
        service.delayCommits(ClientSession.retryTimeout(LEASE).multipliedBy(2));
        try (var client = Habemus.connect(options().withConnectTimeout(Duration.ofSeconds(20)))) {
            client.lock("orders").acquire(Duration.ofSeconds(20)).close();
        }
    }

    @Test
    void an_unreachable_service_is_reported_with_its_failures() {
        var endpoints = service.endpoints();
        for (int node = 0; node < endpoints.length; node++) {
            service.crash(node);
        }
        assertThatThrownBy(() -> Habemus.connect(ClientOptions.to(endpoints).withConnectTimeout(Duration.ofSeconds(1))))
                .isInstanceOf(ServiceUnavailableException.class)
                .hasMessageContaining(endpoints[0])
                .hasMessageContaining("refused");
    }

    @Test
    void requests_fail_without_a_majority() throws InterruptedException {
        try (var client = Habemus.connect(options().withConnectTimeout(Duration.ofSeconds(2)))) {
            service.dropProposals(command -> true);
            assertThat(client.lock("orders").tryAcquire()).isInstanceOf(AcquireResult.NoQuorum.class);
            assertThatThrownBy(() -> client.lock("orders").acquire(Duration.ofMillis(300)))
                    .isInstanceOf(ServiceUnavailableException.class);
        }
    }

    @Test
    void a_wrong_token_is_rejected_with_a_hint() {
        service.requireToken("secret");
        assertThatThrownBy(() -> Habemus.connect(options()))
                .isInstanceOf(RequestRejectedException.class)
                .hasMessageContaining("use the right one");
        Habemus.connect(options().withToken("secret")).close();
    }

    @Test
    void a_single_node_reports_that_it_is_not_fault_tolerant() {
        try (var single = new FakeService(1);
                var client = Habemus.connect(single.endpoints());
                var other = Habemus.connect(service.endpoints())) {
            until(() -> !client.isFaultTolerant());
            assertThat(other.isFaultTolerant()).isTrue();
        }
    }
}
