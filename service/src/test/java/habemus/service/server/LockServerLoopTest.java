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

/** The desk, driven: what is done together, what comes first, what is waited for. */
class LockServerLoopTest {

    private static final Duration LEASE = Duration.ofSeconds(4);
    private static final ClientInfo PERSON = new ClientInfo("worker", "here", 1);

    private final PausableLog log = new PausableLog();
    private final AtomicLong nanos = new AtomicLong();
    private final LockServerLoop lockServerLoop = new LockServerLoop(
            new NodeId(1),
            log,
            AccessPolicy.allowAll(),
            ServerLimits.DEFAULT.withWaitersPerResource(1).withAcquiresPerSession(3),
            nanos::get);
    private final Client client = new Client();

    /** Whoever is told, and can keep the reception's thread busy meanwhile. */
    private final class Client implements LockServerLoop.ReplyListener {
        private final BlockingQueue<Message.ServerReply> serverReplies = new LinkedBlockingQueue<>();
        private final BlockingQueue<Integer> together = new LinkedBlockingQueue<>();
        private final ClientConnection clientConnection =
                lockServerLoop.connect(Principal.ANONYMOUS, this).orElseThrow();
        private volatile CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);

        @Override
        public void onReplies(List<Message.ServerReply> news) {
            var closed = gate; // as it is before anybody knows of this
            together.add(news.size());
            serverReplies.addAll(news);
            closed.join();
        }

        void say(Message.ClientRequest clientRequest) {
            assertThat(clientConnection.submit(clientRequest)).isEmpty();
        }

        void acquire(long session, long number, String lock) {
            say(new Message.Submit(session, number, 0, Operation.Acquire.of(ResourceShare.exclusive(lock))));
        }

        Message.ServerReply next() throws InterruptedException {
            var serverReply = serverReplies.poll(10, SECONDS);
            assertThat(serverReply).as("a reply").isNotNull();
            return serverReply;
        }

        long open(long nonce) throws InterruptedException {
            say(new Message.OpenSession(nonce, PERSON, LEASE));
            log.commit(log.nextProposed());
            return ((Message.SessionOpened) next()).session();
        }

        /** The reception stands still after it has told this client something. */
        CompletableFuture<Void> standStill() {
            gate = new CompletableFuture<>();
            return gate;
        }

        /** From now on the reception stands still. */
        CompletableFuture<Void> hold() throws InterruptedException {
            var held = standStill();
            assertThat(open(1_000)).isPositive();
            return held;
        }
    }

    @BeforeEach
    void start() {
        lockServerLoop.start();
    }

    @AfterEach
    void stop() {
        client.gate.complete(null); // also of a test that failed
        lockServerLoop.close();
    }

    @Test
    void what_comes_together_is_one_entry_and_is_answered_together() throws InterruptedException {
        long session = client.open(7);
        var gate = client.hold();
        for (int number = 1; number <= 3; number++) {
            client.acquire(session, number, "lock-" + number);
        }
        assertThat(log.hasNoProposal()).isTrue();
        client.together.clear();
        gate.complete(null);
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands()).hasSize(3).allMatch(command -> command instanceof Command.Submit);
        log.commit(commandBatch);
        assertThat(client.together.poll(10, SECONDS)).isEqualTo(3);
        assertThat(lockServerLoop.stats().entries()).isEqualTo(3);
    }

    /** Leads, and has a session that holds a lock. */
    private long holder(String lock) throws InterruptedException {
        log.setLeader(1);
        long session = client.open(7);
        client.acquire(session, 1, lock);
        log.commit(log.nextProposed());
        assertThat(client.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        return session;
    }

    @Test
    void who_can_only_stand_in_line_goes_into_the_log_with_who_leaves() throws InterruptedException {
        long session = holder("orders");
        client.acquire(session, 2, "orders");
        assertThat(log.hasNoProposal()).isTrue();
        client.say(new Message.Submit(session, 3, 0, new Operation.Release(1)));
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands()).hasSize(2);
        log.commit(commandBatch);
        assertThat(client.next()).isEqualTo(new Message.Result(session, 2, new OperationResult.Waiting()));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 3, new OperationResult.Released()));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 2, new OperationResult.Granted(4)));
    }

    @Test
    void who_can_only_stand_in_line_stands_there_soon_even_if_nobody_leaves() throws InterruptedException {
        long session = holder("orders");
        client.acquire(session, 2, "orders");
        log.snapshot().join(); // so it was heard before time goes on
        assertThat(log.hasNoProposal()).isTrue();
        nanos.addAndGet(Duration.ofMillis(2).toNanos());
        assertThat(log.nextProposed().commands()).hasSize(1);
    }

    @Test
    void who_does_not_want_to_wait_is_told_at_once_that_it_is_taken() throws InterruptedException {
        long session = holder("orders");
        client.say(new Message.Submit(
                session, 2, 0, new Operation.Acquire(List.of(ResourceShare.exclusive("orders")), false, 0)));
        assertThat(log.nextProposed().commands()).hasSize(1);
    }

    @Test
    void where_others_may_know_better_who_holds_it_nobody_waits_for_who_leaves() throws InterruptedException {
        long session = holder("orders");
        log.setLeader(2);
        client.acquire(session, 2, "orders");
        assertThat(log.nextProposed().commands()).hasSize(1);
    }

    @Test
    void a_request_is_proposed_once_and_forgotten() throws InterruptedException {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        assertThat(log.nextProposed().commands()).hasSize(1); // and is lost
        client.acquire(session, 1, "orders");
        log.commit(log.nextProposed());
        assertThat(client.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        assertThat(log.hasNoProposal()).isTrue();
    }

    @Test
    void what_was_lost_with_a_leader_is_proposed_once_more() throws InterruptedException {
        long session = client.open(7);
        client.say(new Message.Renew(session, 1));
        client.acquire(session, 1, "orders");
        assertThat(log.nextProposed().commands()).hasSize(2);
        log.loseLeader();
        var again = log.nextProposed();
        assertThat(again.commands()).hasSize(1).allMatch(command -> command instanceof Command.Submit);
        log.loseLeader();
        client.acquire(session, 2, "other");
        var next = log.nextProposed();
        assertThat(next.commands()).as("the third time it is forgotten").hasSize(1);
        log.commit(next);
        assertThat(client.next()).isEqualTo(new Message.Result(session, 2, new OperationResult.Granted(2)));
    }

    @Test
    void a_renewal_is_acknowledged_when_its_entry_is_applied_and_not_before() throws InterruptedException {
        long session = client.open(7);
        client.say(new Message.Renew(session, 1));
        client.acquire(session, 1, "orders"); // takes the renewal along
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands())
                .contains(new Command.RenewSessions(List.of(new Command.Renewal(session, 1))));
        assertThat(client.serverReplies).isEmpty();
        log.commit(commandBatch);
        assertThat(List.of(client.next(), client.next())).contains(new Message.Renewed(session, 1));
    }

    @Test
    void a_renewal_does_not_wait_for_company() throws InterruptedException {
        long session = client.open(7);
        client.say(new Message.Renew(session, 1));
        pass(Duration.ZERO);
        pass(Duration.ofMillis(100));
        assertThat(log.nextProposed().commands())
                .containsExactly(new Command.RenewSessions(List.of(new Command.Renewal(session, 1))));
    }

    @Test
    void an_alarm_that_is_due_comes_before_what_waits() throws InterruptedException {
        long session = client.open(7);
        var gate = client.standStill();
        client.say(new Message.Renew(session, 1));
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
    void who_leads_gives_up_who_is_silent_for_a_whole_lease() throws InterruptedException {
        log.setLeader(1);
        long session = client.open(7);
        for (int tick = 0; tick < 17; tick++) {
            assertThat(log.hasNoProposal()).isTrue();
            pass(Duration.ofMillis(250));
        }
        var commandBatch = log.nextProposed();
        assertThat(commandBatch.commands()).containsExactly(new Command.ExpireSession(session, session));
        log.commit(commandBatch);
        assertThat(client.next()).isEqualTo(new Message.SessionExpired(session));
        assertThat(lockServerLoop.stats().expiredSessions()).isEqualTo(1);
    }

    /** Time passes, and the reception has noticed. */
    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
        log.snapshot().join();
        log.snapshot().join();
    }

    @Test
    void who_has_left_is_not_told_and_attaches_again() throws InterruptedException {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        var commandBatch = log.nextProposed();
        client.clientConnection.close();
        var other = new Client();
        other.say(new Message.Attach(session, 7));
        log.machine().snapshot(); // it has attached
        log.commit(commandBatch);
        assertThat(other.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        assertThat(client.serverReplies).isEmpty();
        assertThat(lockServerLoop.stats().connections()).isEqualTo(1);
    }

    @Test
    void whom_there_is_no_room_for_in_line_is_told_so_and_never_let_in() throws InterruptedException {
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
        assertThat(lockServerLoop.table().waiters(ResourceName.lock("orders"))).hasSize(1);
    }

    /** It was asked for at another node, and the line became full behind it. */
    @Test
    void who_is_in_line_already_is_not_refused_when_it_asks_again_elsewhere() throws InterruptedException {
        long session = client.open(7);
        for (int number = 1; number <= 2; number++) {
            client.acquire(session, number, "orders");
            log.commit(log.nextProposed());
            client.next();
        }
        var late = new Command.Submit(session, 3, 0, Operation.Acquire.of(ResourceShare.exclusive("orders")));
        client.acquire(session, 3, "orders");
        var calledOff = log.nextProposed();
        log.commit(late);
        log.commit(calledOff);
        assertThat(client.next()).isEqualTo(new Message.Result(session, 3, new OperationResult.Waiting()));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 3, new OperationResult.Waiting()));
    }

    @Test
    void too_many_claims_and_names_that_are_none_are_refused() throws InterruptedException {
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
        assertThat(lockServerLoop.stats().rejected()).isEqualTo(4);
    }

    @Test
    void a_lease_that_is_too_short_or_too_long_is_refused() {
        for (var lease : List.of(Duration.ofMillis(999), Duration.ofSeconds(601), Duration.ofSeconds(-5))) {
            assertThat(client.clientConnection.submit(new Message.OpenSession(1, PERSON, lease)))
                    .hasValueSatisfying(connectionRejected ->
                            assertThat(connectionRejected.message()).contains("from 1 s to 600 s"));
        }
        assertThat(log.hasNoProposal()).isTrue();
    }

    @Test
    void a_snapshot_is_of_all_that_was_applied_before() throws InterruptedException {
        var gate = client.hold();
        log.commit(new Command.OpenSession(8, PERSON, LEASE));
        var snapshot = log.snapshot();
        gate.complete(null);
        var lockTable = StorageFormat.decodeTable(snapshot.join());
        assertThat(lockTable.sessions().size()).isEqualTo(2);
        assertThat(lockTable).isEqualTo(lockServerLoop.table());
    }

    @Test
    void what_is_restored_is_there_and_who_is_attached_is_told() throws InterruptedException {
        long session = client.open(7);
        var lockTable = LockTable.EMPTY
                .apply(CommandBatch.of(
                        1,
                        new Command.OpenSession(7, PERSON, LEASE),
                        new Command.Submit(session, 1, 0, Operation.Acquire.of(ResourceShare.exclusive("orders")))))
                .lockTable();
        log.machine().restore(StorageFormat.encode(lockTable));
        assertThat(client.next()).isEqualTo(new Message.Result(session, 1, new OperationResult.Granted(2)));
        assertThat(lockServerLoop.table()).isEqualTo(lockTable);
    }

    @Test
    void an_operator_is_told_when_it_is_done() throws Exception {
        long session = client.open(7);
        client.acquire(session, 1, "orders");
        log.commit(log.nextProposed());
        client.next();
        var order = new Command.AdminCommand(
                new Command.AdminAction.Release(ResourceName.lock("orders"), 2), "ann", "stuck");
        var done = lockServerLoop.submitAdminCommand(order);
        assertThat(log.nextProposed().commands()).containsExactly(order);
        assertThat(done).isNotDone();
    }

    @Test
    void what_is_no_entry_stops_the_log() {
        assertThat(catchThrowable(() -> log.machine().apply(1, new byte[] {1, 99, 99, 99})))
                .isNotNull();
    }

    @Test
    void a_machine_that_does_the_impossible_stops_the_node() throws Exception {
        lockServerLoop.submit(new ServerEvent.Committed((CommandBatch) null));
        var nodeFailure = lockServerLoop.failure().get(10, SECONDS);
        assertThat(nodeFailure.toString()).contains("state");
        assertThat(catchThrowable(() -> log.snapshot().join())).hasMessageContaining("stopped");
    }
}
