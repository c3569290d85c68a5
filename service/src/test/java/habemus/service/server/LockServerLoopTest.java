package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.Quotas;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.protocol.NodeId;
import habemus.service.metrics.NodeMetrics;
import habemus.service.recording.ServerRecorder;
import habemus.service.runtime.ManualEventLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Batching, timers, limits and failures of the lock server loop. */
class LockServerLoopTest {

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final ClientInfo CLIENT_INFO = new ClientInfo("worker", "here", 1);

    private final ManualEventLoop eventLoop = new ManualEventLoop();
    private final PausableLog log = new PausableLog(eventLoop);
    private final LockServerLoop loop = new LockServerLoop(
            new NodeId(1),
            new LockServerLoop.Environment(
                    eventLoop,
                    InstantSource.fixed(Instant.EPOCH),
                    HeapGuard.NONE,
                    ServerRecorder.NONE,
                    new NodeMetrics()),
            log,
            AccessPolicy.allowAll(),
            ServerLimits.DEFAULT
                    .withWaitersPerResource(1)
                    .withAcquiresPerSession(3)
                    .withQuotas(Quotas.UNLIMITED));
    private final Client client = new Client();

    private final class Client implements LockServerLoop.ReplyListener {
        private final Queue<Message.ServerReply> replies = new ArrayDeque<>();
        private final List<Integer> batchSizes = new ArrayList<>();
        private final ClientConnection connection =
                loop.connect(Principal.ANONYMOUS, this).orElseThrow();

        @Override
        public void onReplies(List<Message.ServerReply> batch) {
            batchSizes.add(batch.size());
            replies.addAll(batch);
        }

        /** Submits a request within the current turn of the event loop. */
        void enqueue(Message.ClientRequest request) {
            assertThat(connection.submit(request)).isEmpty();
        }

        void submit(Message.ClientRequest request) {
            enqueue(request);
            eventLoop.run();
        }

        void acquire(long session, long number, String lock) {
            submit(acquireRequest(session, number, lock));
        }

        Message.ServerReply next() {
            assertThat(replies).as("replies").isNotEmpty();
            return replies.remove();
        }

        long open(long nonce) {
            submit(new Message.OpenSession(nonce, CLIENT_INFO, LEASE));
            commit(log.nextProposed());
            return ((Message.SessionOpened) next()).session();
        }
    }

    private static Message.Submit acquireRequest(long session, long number, String lock) {
        return new Message.Submit(session, number, 0, Operation.Acquire.of(ResourceShare.exclusive(lock)));
    }

    private void commit(CommandBatch batch) {
        log.commit(batch);
        eventLoop.run();
    }

    @BeforeEach
    void start() {
        loop.start(0);
    }

    @Test
    void requests_of_one_turn_share_one_entry_and_one_reply_batch() {
        long session = client.open(7);
        client.batchSizes.clear();
        for (int number = 1; number <= 3; number++) {
            client.enqueue(acquireRequest(session, number, "lock-" + number));
        }
        assertThat(log.hasNoProposal()).isTrue();
        eventLoop.run();
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands()).hasSize(3).allMatch(command -> command instanceof Command.Submit);
        commit(commandBatch);
        assertThat(client.batchSizes).containsExactly(3);
        assertThat(loop.stats().entries()).isEqualTo(2);
    }

    /** Makes this node the leader, and opens a session that holds a lock. */
    private long holder(String lock) {
        log.setLeader(1);
        long session = client.open(7);
        client.acquire(session, 1, lock);
        commit(log.nextProposed());
        assertThat(client.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        return session;
    }

    @Test
    void an_acquire_that_must_wait_is_proposed_with_the_next_release() {
        long session = holder("orders");
        client.acquire(session, 2, "orders");
        assertThat(log.hasNoProposal()).isTrue();
        client.submit(new Message.Submit(session, 3, 0, new Operation.Release(1)));
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands()).hasSize(2);
        commit(commandBatch);
        assertThat(client.next()).isEqualTo(new Message.Result(session, 2, new OperationResult.Waiting()));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 3, new OperationResult.Released()));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 2, new OperationResult.Granted(4)));
    }

    @Test
    void an_acquire_that_must_wait_is_proposed_soon_even_without_a_release() {
        long session = holder("orders");
        client.acquire(session, 2, "orders");
        assertThat(log.hasNoProposal()).isTrue();
        eventLoop.advance(Duration.ofMillis(5));
        assertThat(log.nextProposed().commands()).hasSize(1);
    }

    @Test
    void an_acquire_that_does_not_wait_is_proposed_at_once() {
        long session = holder("orders");
        client.submit(new Message.Submit(
                session, 2, 0, new Operation.Acquire(List.of(ResourceShare.exclusive("orders")), false, 0)));
        assertThat(log.nextProposed().commands()).hasSize(1);
    }

    @Test
    void a_follower_proposes_every_acquire_at_once() {
        long session = holder("orders");
        log.setLeader(2);
        client.acquire(session, 2, "orders");
        assertThat(log.nextProposed().commands()).hasSize(1);
    }

    @Test
    void a_request_is_proposed_once_and_again_only_when_the_client_resends_it() {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        assertThat(log.nextProposed().commands()).hasSize(1); // and is never committed
        client.acquire(session, 1, "orders");
        commit(log.nextProposed());
        assertThat(client.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        assertThat(log.hasNoProposal()).isTrue();
    }

    @Test
    void a_proposal_lost_with_its_leader_is_proposed_once_more() {
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
        commit(next);
        assertThat(client.next()).isEqualTo(new Message.Result(session, 2, new OperationResult.Granted(2)));
    }

    @Test
    void a_session_that_was_lost_with_the_leader_is_proposed_once_more() {
        client.submit(new Message.OpenSession(7, CLIENT_INFO, LEASE));
        var lost = log.nextProposed();
        log.loseLeader();
        eventLoop.run();
        var again = log.nextProposed();
        assertThat(again.commands()).isEqualTo(lost.commands());
        commit(again);
        assertThat(client.next()).isInstanceOf(Message.SessionOpened.class);
    }

    @Test
    void a_renewal_is_acknowledged_only_when_its_entry_is_applied() {
        long session = client.open(7);
        client.submit(new Message.Renew(session, 1));
        client.acquire(session, 1, "orders"); // shares the entry with the renewal
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands())
                .contains(new Command.RenewSessions(List.of(new Command.Renewal(session, 1))));
        assertThat(client.replies).isEmpty();
        commit(commandBatch);
        assertThat(List.of(client.next(), client.next())).contains(new Message.Renewed(session, 1));
    }

    @Test
    void a_single_renewal_is_proposed_after_the_flush_interval() {
        long session = client.open(7);
        client.submit(new Message.Renew(session, 1));
        eventLoop.advance(Duration.ofMillis(100));
        assertThat(log.nextProposed().commands())
                .containsExactly(new Command.RenewSessions(List.of(new Command.Renewal(session, 1))));
    }

    @Test
    void the_leader_expires_a_session_after_a_whole_lease_without_renewal() {
        log.setLeader(1);
        long session = client.open(7);
        for (int tick = 0; tick < 17; tick++) {
            assertThat(log.hasNoProposal()).isTrue();
            eventLoop.advance(Duration.ofMillis(250));
        }
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands()).containsExactly(new Command.ExpireSession(session, session));
        commit(commandBatch);
        assertThat(client.next()).isEqualTo(new Message.SessionExpired(session));
        assertThat(loop.stats().expiredSessions()).isEqualTo(1);
    }

    @Test
    void a_disconnected_client_gets_no_reply_and_its_session_can_attach_again() {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        var commandBatch = log.nextProposed();
        client.connection.close();
        var other = new Client();
        other.submit(new Message.Attach(session, 7));
        commit(commandBatch);
        assertThat(other.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        assertThat(client.replies).isEmpty();
        assertThat(loop.stats().connections()).isEqualTo(1);
    }

    @Test
    void an_acquire_beyond_the_queue_limit_is_rejected_and_never_granted() {
        long session = client.open(7);
        for (int number = 1; number <= 2; number++) {
            client.acquire(session, number, "orders");
            commit(log.nextProposed());
            client.next();
        }
        client.acquire(session, 3, "orders");
        commit(log.nextProposed());
        assertThat(client.next())
                .isEqualTo(new Message.Result(
                        session, 3, new OperationResult.Rejected(OperationResult.RejectionReason.LIMIT_EXCEEDED)));
        assertThat(loop.table().waiters(ResourceName.lock("orders"))).hasSize(1);
    }

    /** Another node has proposed the same request before the queue was full. */
    @Test
    void a_queued_request_is_not_rejected_when_it_is_sent_again_to_another_node() {
        long session = client.open(7);
        for (int number = 1; number <= 2; number++) {
            client.acquire(session, number, "orders");
            commit(log.nextProposed());
            client.next();
        }
        var late = new Command.Submit(session, 3, 0, Operation.Acquire.of(ResourceShare.exclusive("orders")));
        client.acquire(session, 3, "orders");
        var cancellation = log.nextProposed();
        commit(CommandBatch.of(1, late));
        commit(cancellation);
        assertThat(client.next()).isEqualTo(new Message.Result(session, 3, new OperationResult.Waiting()));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 3, new OperationResult.Waiting()));
    }

    @Test
    void too_many_acquires_and_invalid_names_are_rejected() {
        long session = client.open(7);
        for (int number = 1; number <= 3; number++) {
            client.acquire(session, number, "lock-" + number);
            commit(log.nextProposed());
            client.next();
        }
        client.acquire(session, 4, "lock-4");
        commit(log.nextProposed());
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
    void a_snapshot_is_the_state_when_it_was_captured() {
        client.open(7);
        var snapshot = log.machine().snapshot();
        var captured = loop.table();
        client.open(8);
        assertThat(StorageFormat.decodeTable(snapshot.get())).isEqualTo(captured);
    }

    @Test
    void the_fences_of_a_new_cluster_are_larger_than_its_first_fence() {
        var machine = new ReplicaStateMachine(loop, 1_000);
        machine.restore(machine.firstSnapshot());
        assertThat(client.open(7)).isGreaterThan(1_000);
    }

    @Test
    void a_restored_snapshot_is_served_and_attached_clients_get_its_results() {
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
    void an_admin_command_completes_only_when_it_is_committed() {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        commit(log.nextProposed());
        client.next();
        var order = new Command.AdminCommand(
                new Command.AdminAction.Release(ResourceName.lock("orders"), 2), "ann", "host:1", "stuck");
        var done = loop.submitAdminCommand(order);
        eventLoop.run();
        assertThat(log.nextProposed().commands()).containsExactly(order);
        assertThat(done).isNotDone();
    }

    @Test
    void a_malformed_entry_fails_the_log() {
        assertThat(catchThrowable(() -> log.machine().apply(1, new byte[] {1, 99, 99, 99})))
                .isNotNull();
    }

    @Test
    void an_impossible_event_stops_the_node() {
        assertThat(catchThrowable(() -> loop.onCommitted((CommandBatch) null))).isNotNull();
        assertThat(loop.failure()).isCompleted();
        assertThat(loop.failure().join().toString()).contains("state");
        assertThat(catchThrowable(() -> log.machine().snapshot())).hasMessageContaining("stopped");
        var order = new Command.AdminCommand(
                new Command.AdminAction.Release(ResourceName.lock("orders"), 2), "ann", "host:1", "stuck");
        var done = loop.submitAdminCommand(order);
        eventLoop.run();
        assertThat(done).isCompletedExceptionally();
    }
}
