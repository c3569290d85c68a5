package habemus.client;

import static habemus.client.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.lockservice.ClientInfo;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a client whose node, service or own thread stands still. */
@Timeout(30)
class SessionLossTest {

    private static final Duration LEASE = Duration.ofMillis(800);
    private static final ClientInfo ONE = new ClientInfo("one", "here", 1);

    private final FakeService service = new FakeService(3);

    @AfterEach
    void close() {
        service.close();
    }

    private ClientOptions options() {
        return ClientOptions.to(service.endpoints()).withName("one").withLease(LEASE);
    }

    @Test
    void a_session_lives_as_long_as_it_is_renewed() throws InterruptedException {
        var lease = Duration.ofSeconds(2);
        try (var one = Habemus.connect(options().withLease(lease));
                var grant = one.lock("orders").acquire()) {
            long end = System.nanoTime() + lease.multipliedBy(2).toNanos();
            until(() -> System.nanoTime() - end > 0 || !grant.isValid());
            assertThat(grant.isValid()).isTrue();
        }
    }

    @Test
    void the_holder_is_told_before_another_is_granted() throws InterruptedException {
        try (var one = Habemus.connect(options());
                var two = Habemus.connect(options().withName("two").withLease(Duration.ofSeconds(20)))) {
            var grant = one.lock("orders").acquire();
            var told = new AtomicLong();
            grant.onLost(() -> told.set(System.nanoTime()));
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
            assertThat(told.get()).isPositive();
            assertThat(granted - told.get()).isPositive();
        }
    }

    @Test
    void after_a_pause_the_deadline_is_looked_at_before_an_acknowledgement_that_waits() throws Exception {
        var sessionDriver = new SessionDriver(options(), ONE);
        sessionDriver.start();
        sessionDriver.awaitSession().get();
        var asked = new AcquireRequest(sessionDriver, Operation.Acquire.of(ResourceShare.exclusive("orders")));
        sessionDriver.post(() -> sessionDriver.submit(asked));
        var grant = ((AcquireResult.Granted) asked.outcome().get()).grant();
        var order = new AtomicReference<>("");
        grant.onLost(why -> order.updateAndGet(said -> said + "lost;"));
        // The driver stands still right after a renewal has gone out, until its acknowledgement waits in the inbox and
        // the deadline has passed.
        long before = renewals();
        until(() -> renewals() > before);
        var still = new CountDownLatch(1);
        sessionDriver.post(() -> {
            until(() -> !grant.remaining().isPositive());
            assertThat(grant.isValid()).isFalse();
            still.countDown();
        });
        sessionDriver.post(() -> order.updateAndGet(said -> said + (sessionDriver.isLive() ? "alive;" : "over;")));
        still.await();
        until(() -> order.get().contains(";")
                && order.get().contains("lost")
                && order.get().length() > 8);
        assertThat(order.get()).contains("over;").doesNotContain("alive");
        sessionDriver.stop();
    }

    private long renewals() {
        return service.received().stream()
                .filter(parcel -> parcel instanceof ClientFrame.Request(Message.Renew renew))
                .count();
    }

    @Test
    void a_wait_outlives_its_session_and_a_grant_does_not() throws Exception {
        try (var one = Habemus.connect(options());
                var two = Habemus.connect(options().withName("two").withLease(Duration.ofSeconds(20)))) {
            var held = two.lock("orders").acquire();
            var lost = one.lock("invoices").acquire();
            var waiting = one.lock("orders").acquireAsync();
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
            service.commit(new Command.AdminCommand(new Command.AdminAction.Expire(session), "eve", "test"));
            until(() -> !lost.isValid());
            held.close();
            assertThat(waiting.get().isValid()).isTrue();
            one.lock("invoices").acquire(Duration.ofSeconds(5)).close();
        }
    }

    @Test
    void a_release_without_an_answer_is_of_unknown_outcome() throws InterruptedException {
        try (var one = Habemus.connect(options())) {
            var grant = one.lock("orders").acquire();
            service.dropProposals(command -> true);
            assertThatThrownBy(grant::release).isInstanceOf(OutcomeUnknownException.class);
            service.dropProposals(command -> false);
            one.lock("orders").acquire(Duration.ofSeconds(5)).close();
        }
    }

    @Test
    void another_node_is_found_when_one_crashes() throws InterruptedException {
        try (var one = Habemus.connect(service.endpoints())) {
            var grant = one.lock("orders").acquire();
            service.setLeader(1);
            service.crash(0);
            grant.release();
            one.lock("orders").acquire(Duration.ofSeconds(5)).close();
        }
    }

    @Test
    void nodes_that_were_not_named_are_found() throws InterruptedException {
        try (var one = Habemus.connect(service.endpoint(2))) {
            until(() -> service.connections(0) == 1 && service.connections(2) == 0);
            service.setLeader(1);
            until(() -> service.connections(1) == 1 && service.connections(0) == 0);
            service.crash(2);
            service.crash(1);
            one.lock("orders").acquire(Duration.ofSeconds(5)).close();
        }
    }

    @Test
    void who_is_at_the_leader_stays_there() throws InterruptedException {
        try (var one = Habemus.connect(service.endpoints())) {
            for (int i = 0; i < 20; i++) {
                one.lock("orders").acquire(Duration.ofSeconds(5)).close();
            }
            assertThat(service.received())
                    .filteredOn(ClientFrame.Hello.class::isInstance)
                    .hasSize(1);
        }
    }

    @Test
    void broken_connections_lose_nothing() throws InterruptedException {
        try (var one = Habemus.connect(service.endpoints());
                var grant = one.lock("orders").acquire()) {
            for (int i = 0; i < 10; i++) {
                service.breakConnections();
                one.lock("invoices").acquire(Duration.ofSeconds(5)).close();
                assertThat(grant.isValid()).isTrue();
            }
        }
    }

    @Test
    void lost_replies_are_asked_for_again() throws InterruptedException {
        try (var one = Habemus.connect(options())) {
            var dropped = new AtomicLong();
            service.dropReplies(parcel ->
                    parcel instanceof ClientFrame.Reply(Message.Result result) && dropped.incrementAndGet() % 2 == 1);
            for (int i = 0; i < 5; i++) {
                one.lock("orders").acquire(Duration.ofSeconds(5)).close();
            }
            assertThat(service.table().history().size()).isEqualTo(5);
        }
    }

    /** Twice as long as the session waits before it turns to another node, every time. */
    @Test
    void a_service_that_is_slow_is_waited_for() throws InterruptedException {
        service.delayCommits(ClientSession.retryTimeout(LEASE).multipliedBy(2));
        try (var one = Habemus.connect(options().withConnectTimeout(Duration.ofSeconds(20)))) {
            one.lock("orders").acquire(Duration.ofSeconds(20)).close();
        }
    }

    @Test
    void an_unreachable_service_is_told_and_why() {
        var doors = service.endpoints();
        for (int node = 0; node < doors.length; node++) {
            service.crash(node);
        }
        assertThatThrownBy(() -> Habemus.connect(ClientOptions.to(doors).withConnectTimeout(Duration.ofSeconds(1))))
                .isInstanceOf(ServiceUnavailableException.class)
                .hasMessageContaining(doors[0])
                .hasMessageContaining("refused");
    }

    @Test
    void without_a_majority_nothing_is_granted() throws InterruptedException {
        try (var one = Habemus.connect(options().withConnectTimeout(Duration.ofSeconds(2)))) {
            service.dropProposals(command -> true);
            assertThat(one.lock("orders").tryAcquire()).isInstanceOf(AcquireResult.NoQuorum.class);
            assertThatThrownBy(() -> one.lock("orders").acquire(Duration.ofMillis(300)))
                    .isInstanceOf(ServiceUnavailableException.class);
        }
    }

    @Test
    void a_wrong_token_is_refused_with_a_hint() {
        service.requireToken("secret");
        assertThatThrownBy(() -> Habemus.connect(options()))
                .isInstanceOf(RequestRejectedException.class)
                .hasMessageContaining("use the right one");
        Habemus.connect(options().withToken("secret")).close();
    }

    @Test
    void a_service_of_one_node_says_that_it_is_not_fault_tolerant() {
        try (var single = new FakeService(1);
                var one = Habemus.connect(single.endpoints());
                var other = Habemus.connect(service.endpoints())) {
            until(() -> !one.isFaultTolerant());
            assertThat(other.isFaultTolerant()).isTrue();
        }
    }
}
