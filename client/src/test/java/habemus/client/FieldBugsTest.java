package habemus.client;

import static habemus.client.Eventually.until;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lockservice.Command;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.protocol.ClientFrame;
import habemus.lockservice.protocol.Message;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Bugs that other lock services had, by their public names. See docs/field-bugs.md. */
@Timeout(30)
@Tag("slow")
class FieldBugsTest {

    private static final ResourceName ORDERS = ResourceName.lock("orders");
    private static final ResourceName SCHEDULER = ResourceName.election("scheduler");

    private final FakeService service = new FakeService(3);

    @AfterEach
    void close() {
        service.close();
    }

    private ClientOptions options(String name, Duration lease) {
        return ClientOptions.to(service.endpoints()).withName(name).withLease(lease);
    }

    private Habemus connect(String name) {
        return Habemus.connect(options(name, Duration.ofMillis(1_200)));
    }

    private static boolean isSubmit(Command command, Class<? extends Operation> kind) {
        return command instanceof Command.Submit submit && kind.isInstance(submit.operation());
    }

    private static Object resultOf(ClientFrame.ToClient frame) {
        return frame instanceof ClientFrame.Reply(Message.Result result) ? result.result() : frame;
    }

    private static boolean isReleased(ClientFrame.ToClient frame) {
        return resultOf(frame) instanceof OperationResult.Released;
    }

    /** The release is committed and its reply lost. The same client acquires again before it repeats the release. */
    @Test
    void etcd_22082_a_repeated_release_does_not_end_a_newer_grant() throws InterruptedException {
        try (var client = connect("one")) {
            var lock = client.lock("orders");
            var first = lock.acquire();
            service.dropReplies(FieldBugsTest::isReleased);
            first.releaseInBackground();
            until(() -> service.table().holders(ORDERS).isEmpty());
            try (var second = lock.acquire()) {
                var releases = new AtomicInteger();
                service.dropReplies(frame -> {
                    releases.addAndGet(isReleased(frame) ? 1 : 0);
                    return false;
                });
                until(() -> releases.get() > 0); // the client has repeated the release
                assertThat(second.isValid()).isTrue();
                assertThat(service.table().holders(ORDERS))
                        .extracting(holder -> holder.fence())
                        .containsExactly(second.fence());
            }
        }
    }

    /** Counts leaders as the candidates see them, and compares them with the table. */
    private final class CountingCandidate implements Candidate {

        private final AtomicInteger leaders;
        private final AtomicInteger most;
        private final List<Boolean> committed = new CopyOnWriteArrayList<>();

        CountingCandidate(AtomicInteger leaders, AtomicInteger most) {
            this.leaders = leaders;
            this.most = most;
        }

        @Override
        public void onElected(long term) {
            committed.add(service.table().holders(SCHEDULER).stream().anyMatch(holder -> holder.fence() == term));
            most.accumulateAndGet(leaders.incrementAndGet(), Math::max);
        }

        @Override
        public void onDeposed(long term, LossReason reason) {
            leaders.decrementAndGet();
        }
    }

    @Test
    void fabric8_7350_a_candidate_is_elected_only_after_its_term_is_committed() {
        var leaders = new AtomicInteger();
        var candidate = new CountingCandidate(leaders, new AtomicInteger());
        var lost = new AtomicInteger();
        try (var client = connect("one")) {
            service.dropProposals(command -> isSubmit(command, Operation.Acquire.class) && lost.incrementAndGet() < 3);
            client.election("scheduler").campaign(candidate);
            until(() -> leaders.get() == 1);
            assertThat(lost.get()).isGreaterThanOrEqualTo(3);
            assertThat(candidate.committed).containsExactly(true);
        }
    }

    /** The service is away for longer than the lease, and both candidates are reconnected. */
    @Test
    void druid_16411_after_an_outage_there_is_one_leader() {
        var leaders = new AtomicInteger();
        var most = new AtomicInteger();
        try (var one = connect("one");
                var two = connect("two")) {
            one.election("scheduler").campaign(new CountingCandidate(leaders, most));
            until(() -> leaders.get() == 1);
            two.election("scheduler").campaign(new CountingCandidate(leaders, most));
            until(() -> service.table().waiters(SCHEDULER).size() == 1);
            service.dropProposals(command -> true);
            service.breakConnections();
            until(() -> leaders.get() == 0);
            service.dropProposals(command -> false);
            service.breakConnections();
            until(() -> leaders.get() == 1 && service.table().waiters(SCHEDULER).size() == 1);
            assertThat(most).hasValue(1);
            assertThat(service.table().holders(SCHEDULER)).hasSize(1);
        }
    }

    /** The grant is committed, but the candidate cancels before it learns of it. */
    @Test
    void greptimedb_7670_a_cancelled_campaign_leaves_no_leader() throws InterruptedException {
        try (var client = Habemus.connect(options("one", Duration.ofSeconds(20)))) {
            service.dropReplies(frame -> resultOf(frame) instanceof OperationResult.Granted);
            var election = client.election("scheduler");
            election.campaign(new CountingCandidate(new AtomicInteger(), new AtomicInteger()));
            until(() -> service.table().holders(SCHEDULER).size() == 1);
            election.resign();
            until(() -> service.table().holders(SCHEDULER).isEmpty());
        }
    }

    /** As above, but the session is lost too, so that the cancellation never arrives. */
    @Test
    void after_no_quorum_nothing_is_held_by_a_late_acquire() throws InterruptedException {
        try (var client =
                Habemus.connect(options("one", Duration.ofMillis(1_200)).withConnectTimeout(Duration.ofSeconds(2)))) {
            var late = new CopyOnWriteArrayList<Command>();
            service.dropProposals(command -> {
                if (isSubmit(command, Operation.Acquire.class)) {
                    late.add(command);
                }
                return true;
            });
            assertThat(client.lock("orders").tryAcquire()).isInstanceOf(AcquireResult.NoQuorum.class);
            long old = service.table().sessions().firstKey().orElseThrow();
            service.dropProposals(command -> false);
            until(() -> !service.table().sessions().contains(old)); // the next session has ended it
            late.forEach(service::commit);
            assertThat(service.table().holders(ORDERS)).isEmpty();
            assertThat(service.table().waiters(ORDERS)).isEmpty();
        }
    }

    @Test
    void redisson_7272_a_renewed_session_keeps_no_released_lock() throws InterruptedException {
        try (var client = connect("one")) {
            client.lock("orders").acquire().close();
            long renewedAt = lastRenewal();
            until(() -> lastRenewal() > renewedAt);
            assertThat(service.table().holders(ORDERS)).isEmpty();
        }
    }

    private long lastRenewal() {
        return service.table().sessions().firstValue().orElseThrow().lastRenewedAt();
    }
}
