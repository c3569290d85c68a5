package habemus.service.server;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batching, timers, limits and failures of the lock server loop. */
class LockServerLoopTest {

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final ClientInfo CLIENT_INFO = new ClientInfo("worker", "here", 1);

    private final PausableLog log = new PausableLog();
    private final AtomicLong nanos = new AtomicLong();
    private final LockServerLoop loop = new LockServerLoop(
            new NodeId(1),
            log,
            AccessPolicy.allowAll(),
            ServerLimits.DEFAULT.withWaitersPerResource(1).withAcquiresPerSession(3),
            nanos::get);
    private final Client client = new Client();

    /** A client that can block the thread of the loop. */
    private final class Client implements LockServerLoop.ReplyListener {
        private final BlockingQueue<Message.ServerReply> replies = new LinkedBlockingQueue<>();
        private final BlockingQueue<Integer> batchSizes = new LinkedBlockingQueue<>();
        private final ClientConnection connection =
                loop.connect(Principal.ANONYMOUS, this).orElseThrow();
        private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

        @Override
        public void onReplies(List<Message.ServerReply> batch) {
            var currentGate = gate; // read before the test sees the replies
            batchSizes.add(batch.size());
            replies.addAll(batch);
            currentGate.join();
        }

        void submit(Message.ClientRequest request) {
            assertThat(connection.submit(request)).isEmpty();
        }

        void acquire(long session, long number, String lock) {
            submit(new Message.Submit(session, number, 0, Operation.Acquire.of(ResourceShare.exclusive(lock))));
        }

        Message.ServerReply next() throws InterruptedException {
            var reply = replies.poll(10, SECONDS);
            assertThat(reply).as("a reply").isNotNull();
            return reply;
        }

        long open(long nonce) throws InterruptedException {
            submit(new Message.OpenSession(nonce, CLIENT_INFO, LEASE));
            log.commit(log.nextProposed());
            return ((Message.SessionOpened) next()).session();
        }

        /** Blocks the loop after its next reply to this client. */
        CompletableFuture<Void> blockAfterReply() {
            gate = new CompletableFuture<>();
            return gate;
        }

        /** Blocks the loop now. */
        CompletableFuture<Void> block() throws InterruptedException {
            var gateToOpen = blockAfterReply();
            assertThat(open(1_000)).isPositive();
            return gateToOpen;
        }
    }

    @BeforeEach
    void start() {
        loop.start(0);
    }

    @AfterEach
    void stop() {
        client.gate.complete(null); // even if the test has failed
        loop.close();
    }

    @Test
    void requests_that_are_queued_together_share_one_entry_and_one_reply_batch() throws InterruptedException {
        long session = client.open(7);
        var gate = client.block();
        for (int number = 1; number <= 3; number++) {
            client.acquire(session, number, "lock-" + number);
        }
        assertThat(log.hasNoProposal()).isTrue();
        client.batchSizes.clear();
        gate.complete(null);
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands()).hasSize(3).allMatch(command -> command instanceof Command.Submit);
        log.commit(commandBatch);
        assertThat(client.batchSizes.poll(10, SECONDS)).isEqualTo(3);
        assertThat(loop.stats().entries()).isEqualTo(3);
    }

    /** Makes this node the leader, and opens a session that holds a lock. */
    private long holder(String lock) throws InterruptedException {
        log.setLeader(1);
        long session = client.open(7);
        client.acquire(session, 1, lock);
        log.commit(log.nextProposed());
        assertThat(client.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        return session;
    }

    @Test
    void an_acquire_that_must_wait_is_proposed_with_the_next_release() throws InterruptedException {
        long session = holder("orders");
        client.acquire(session, 2, "orders");
        assertThat(log.hasNoProposal()).isTrue();
        client.submit(new Message.Submit(session, 3, 0, new Operation.Release(1)));
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands()).hasSize(2);
        log.commit(commandBatch);
        assertThat(client.next()).isEqualTo(new Message.Result(session, 2, new OperationResult.Waiting()));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 3, new OperationResult.Released()));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 2, new OperationResult.Granted(4)));
    }

    @Test
    void an_acquire_that_must_wait_is_proposed_soon_even_without_a_release() throws InterruptedException {
        long session = holder("orders");
        client.acquire(session, 2, "orders");
        log.snapshot().join(); // so the loop has handled it before the clock advances
        assertThat(log.hasNoProposal()).isTrue();
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        assertThat(log.nextProposed().commands()).hasSize(1);
    }

    @Test
    void an_acquire_that_does_not_wait_is_proposed_at_once() throws InterruptedException {
        long session = holder("orders");
        client.submit(new Message.Submit(
                session, 2, 0, new Operation.Acquire(List.of(ResourceShare.exclusive("orders")), false, 0)));
        assertThat(log.nextProposed().commands()).hasSize(1);
    }

    @Test
    void a_follower_proposes_every_acquire_at_once() throws InterruptedException {
        long session = holder("orders");
        log.setLeader(2);
        client.acquire(session, 2, "orders");
        assertThat(log.nextProposed().commands()).hasSize(1);
    }

    @Test
    void a_request_is_proposed_once_and_again_only_when_the_client_resends_it() throws InterruptedException {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        assertThat(log.nextProposed().commands()).hasSize(1); // and is never committed
        client.acquire(session, 1, "orders");
        log.commit(log.nextProposed());
        assertThat(client.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        assertThat(log.hasNoProposal()).isTrue();
    }

    @Test
    void a_proposal_lost_with_its_leader_is_proposed_once_more() throws InterruptedException {
        long session = client.open(7);
        client.submit(new Message.Renew(session, 1));
        client.acquire(session, 1, "orders");
        assertThat(log.nextProposed().commands()).hasSize(2);
        log.loseLeader();
        var again = log.nextProposed();
        assertThat(again.commands()).hasSize(1).allMatch(command -> command instanceof Command.Submit);
        log.loseLeader();
        client.acquire(session, 2, "other");
        var next = log.nextProposed();
        assertThat(next.commands()).as("no third proposal").hasSize(1);
        log.commit(next);
        assertThat(client.next()).isEqualTo(new Message.Result(session, 2, new OperationResult.Granted(2)));
    }

    @Test
    void a_renewal_is_acknowledged_only_when_its_entry_is_applied() throws InterruptedException {
        long session = client.open(7);
        client.submit(new Message.Renew(session, 1));
        client.acquire(session, 1, "orders"); // shares the entry with the renewal
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands())
                .contains(new Command.RenewSessions(List.of(new Command.Renewal(session, 1))));
        assertThat(client.replies).isEmpty();
        log.commit(commandBatch);
        assertThat(List.of(client.next(), client.next())).contains(new Message.Renewed(session, 1));
    }

    @Test
    void a_single_renewal_is_proposed_after_the_flush_interval() throws InterruptedException {
        long session = client.open(7);
        client.submit(new Message.Renew(session, 1));
        advance(Duration.ZERO);
        advance(Duration.ofMillis(100));
        assertThat(log.nextProposed().commands())
                .containsExactly(new Command.RenewSessions(List.of(new Command.Renewal(session, 1))));
    }

    @Test
    void a_due_timer_fires_before_the_next_event() throws InterruptedException {
        long session = client.open(7);
        var gate = client.blockAfterReply();
        client.submit(new Message.Renew(session, 1));
        log.commit(new Command.Submit(session, 50, 0, new Operation.Release(49)));
        client.next();
        client.acquire(session, 1, "orders");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        gate.complete(null);
        assertThat(log.nextProposed().commands())
                .hasSize(2)
                .first()
                .isEqualTo(new Command.RenewSessions(List.of(new Command.Renewal(session, 1))));
    }

    @Test
    void the_leader_expires_a_session_after_a_whole_lease_without_renewal() throws InterruptedException {
        log.setLeader(1);
        long session = client.open(7);
        for (int tick = 0; tick < 17; tick++) {
            assertThat(log.hasNoProposal()).isTrue();
            advance(Duration.ofMillis(250));
        }
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands()).containsExactly(new Command.ExpireSession(session, session));
        log.commit(commandBatch);
        assertThat(client.next()).isEqualTo(new Message.SessionExpired(session));
        assertThat(loop.stats().expiredSessions()).isEqualTo(1);
    }

    /** Advances the clock, and waits until the loop has run. */
    private void advance(Duration time) {
        nanos.addAndGet(time.toNanos());
        log.snapshot().join();
        log.snapshot().join();
    }

    @Test
    void a_disconnected_client_gets_no_reply_and_its_session_can_attach_again() throws InterruptedException {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        var commandBatch = log.nextProposed();
        client.connection.close();
        var other = new Client();
        other.submit(new Message.Attach(session, 7));
        log.machine().snapshot().join(); // so the session is attached
        log.commit(commandBatch);
        assertThat(other.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        assertThat(client.replies).isEmpty();
        assertThat(loop.stats().connections()).isEqualTo(1);
    }

    @Test
    void an_acquire_beyond_the_queue_limit_is_rejected_and_never_granted() throws InterruptedException {
        long session = client.open(7);
        for (int number = 1; number <= 2; number++) {
            client.acquire(session, number, "orders");
            log.commit(log.nextProposed());
            client.next();
        }
        client.acquire(session, 3, "orders");
        log.commit(log.nextProposed());
        assertThat(client.next())
                .isEqualTo(new Message.Result(
                        session, 3, new OperationResult.Rejected(OperationResult.RejectionReason.LIMIT_EXCEEDED)));
        assertThat(loop.table().waiters(ResourceName.lock("orders"))).hasSize(1);
    }

    /** Another node has proposed the same request before the queue was full. */
    @Test
    void a_queued_request_is_not_rejected_when_it_is_sent_again_to_another_node() throws InterruptedException {
        long session = client.open(7);
        for (int number = 1; number <= 2; number++) {
            client.acquire(session, number, "orders");
            log.commit(log.nextProposed());
            client.next();
        }
        var late = new Command.Submit(session, 3, 0, Operation.Acquire.of(ResourceShare.exclusive("orders")));
        client.acquire(session, 3, "orders");
        var cancellation = log.nextProposed();
        log.commit(late);
        log.commit(cancellation);
        assertThat(client.next()).isEqualTo(new Message.Result(session, 3, new OperationResult.Waiting()));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 3, new OperationResult.Waiting()));
    }

    @Test
    void too_many_acquires_and_invalid_names_are_rejected() throws InterruptedException {
        long session = client.open(7);
        for (int number = 1; number <= 3; number++) {
            client.acquire(session, number, "lock-" + number);
            log.commit(log.nextProposed());
            client.next();
        }
        client.acquire(session, 4, "lock-4");
        log.commit(log.nextProposed());
        assertThat(client.next())
                .isEqualTo(new Message.Result(
                        session, 4, new OperationResult.Rejected(OperationResult.RejectionReason.LIMIT_EXCEEDED)));
        client.acquire(session, 5, "x".repeat(201));
        assertThat(client.next())
                .isEqualTo(new Message.Result(
                        session, 5, new OperationResult.Rejected(OperationResult.RejectionReason.INVALID_NAME)));
        client.acquire(session, 6, " ");
        assertThat(client.next())
                .isEqualTo(new Message.Result(
                        session, 6, new OperationResult.Rejected(OperationResult.RejectionReason.INVALID_NAME)));
        client.acquire(session, 10_001, "orders");
        assertThat(client.next())
                .isEqualTo(new Message.Result(
                        session, 10_001, new OperationResult.Rejected(OperationResult.RejectionReason.LIMIT_EXCEEDED)));
        assertThat(loop.stats().rejected()).isEqualTo(4);
    }

    @Test
    void a_lease_that_is_too_short_or_too_long_is_rejected() {
        for (var lease : List.of(Duration.ofMillis(999), Duration.ofSeconds(601), Duration.ofSeconds(-5))) {
            assertThat(client.connection.submit(new Message.OpenSession(1, CLIENT_INFO, lease)))
                    .hasValueSatisfying(connectionRejected ->
                            assertThat(connectionRejected.message()).contains("from 1 s to 600 s"));
        }
        assertThat(log.hasNoProposal()).isTrue();
    }

    @Test
    void a_snapshot_holds_all_batches_applied_before() throws InterruptedException {
        var gate = client.block();
        log.commit(new Command.OpenSession(8, CLIENT_INFO, LEASE));
        var snapshot = log.snapshot();
        gate.complete(null);
        var lockTable = StorageFormat.decodeTable(snapshot.join());
        assertThat(lockTable.sessions().size()).isEqualTo(2);
        assertThat(lockTable).isEqualTo(loop.table());
    }

    @Test
    void a_restored_snapshot_is_served_and_attached_clients_get_its_results() throws InterruptedException {
        long session = client.open(7);
        var lockTable = LockTable.EMPTY
                .apply(CommandBatch.of(
                        1,
                        new Command.OpenSession(7, CLIENT_INFO, LEASE),
                        new Command.Submit(session, 1, 0, Operation.Acquire.of(ResourceShare.exclusive("orders")))))
                .table();
        log.machine().restore(StorageFormat.encode(lockTable));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        assertThat(loop.table()).isEqualTo(lockTable);
    }

    @Test
    void an_admin_command_completes_only_when_it_is_committed() throws Exception {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        log.commit(log.nextProposed());
        client.next();
        var order = new Command.AdminCommand(
                new Command.AdminAction.Release(ResourceName.lock("orders"), 2), "ann", "stuck");
        var done = loop.submitAdminCommand(order);
        assertThat(log.nextProposed().commands()).containsExactly(order);
        assertThat(done).isNotDone();
    }

    @Test
    void a_malformed_entry_fails_the_log() {
        assertThat(catchThrowable(() -> log.machine().apply(1, new byte[] {1, 99, 99, 99})))
                .isNotNull();
    }

    @Test
    void an_impossible_event_stops_the_node() throws Exception {
        loop.submit(new ServerEvent.Committed((CommandBatch) null));
        var failure = loop.failure().get(10, SECONDS);
        assertThat(failure.toString()).contains("state");
        assertThat(catchThrowable(() -> log.snapshot().join())).hasMessageContaining("stopped");
    }
}
