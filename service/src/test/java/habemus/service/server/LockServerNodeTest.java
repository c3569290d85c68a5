package habemus.service.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceShare;
import habemus.lockservice.protocol.Message;
import habemus.service.algorithm.TestClusters;
import habemus.service.transport.Member;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Three nodes in one process, on real sockets and disks. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class LockServerNodeTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final int RESEND_MILLIS = 300;

    @TempDir
    private Path folder;

    private final List<Member> members = TestClusters.members(3);
    private final List<LockServerNode> nodes = new ArrayList<>();

    @BeforeEach
    void start() {
        members.stream()
                .map(member -> CompletableFuture.supplyAsync(
                        () -> start(member), task -> Thread.ofVirtual().start(task)))
                .toList()
                .forEach(node -> nodes.add(node.join()));
        leader();
    }

    private LockServerNode start(Member member) {
        var data = Optional.of(folder.resolve(member.node().toString()));
        return LockServerNode.start(LockServerConfig.of(members, member.node(), data));
    }

    @AfterEach
    void stopAll() {
        nodes.forEach(LockServerNode::close);
    }

    private static void awaitUntil(BooleanSupplier condition) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** Waits until all running nodes name the same leader. */
    private LockServerNode leader() {
        awaitUntil(() ->
                nodes.stream().map(node -> node.loop().leader()).distinct().count() == 1
                        && nodes.stream().anyMatch(LockServerNodeTest::isLeader));
        return nodes.stream().filter(LockServerNodeTest::isLeader).findFirst().orElseThrow();
    }

    private static boolean isLeader(LockServerNode node) {
        return node.loop().leader().equals(Optional.of(node.config().self()));
    }

    private LockServerNode follower() {
        var leader = leader();
        return nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
    }

    private void stop(LockServerNode node) {
        nodes.remove(node);
        node.close();
    }

    private static RawClient client(LockServerNode node) {
        return RawClient.connectAndHandshake(node.listenAddress());
    }

    /** Sends a request until it is answered, as clients do. */
    private static <T> T sendUntilAnswered(RawClient client, Message.ClientRequest request, Class<T> type)
            throws SocketException {
        client.socket().setSoTimeout(RESEND_MILLIS);
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (System.nanoTime() < end) {
            client.sendRequest(request);
            try {
                return client.read(type, any -> true);
            } catch (UncheckedIOException timeout) {
                assertThat(timeout).hasMessageContaining("timed out");
            }
        }
        throw new AssertionError("no answer to " + request);
    }

    @Test
    void every_node_serves_clients_and_all_nodes_converge_to_one_table() {
        try (var client = client(follower());
                var other = client(leader())) {
            long session = client.open(1);
            client.acquire(session, 1, "orders");
            var granted = (OperationResult.Granted) client.readResult(session, 1);
            long waiting = other.open(2);
            other.acquire(waiting, 1, "orders");
            assertThat(other.readResult(waiting, 1)).isEqualTo(new OperationResult.Waiting());
            client.submit(session, 2, new Operation.Release(1));
            assertThat(((OperationResult.Granted) other.readResult(waiting, 1)).fence())
                    .isGreaterThan(granted.fence());
        }
        awaitUntil(
                () -> nodes.stream().map(node -> node.loop().table()).distinct().count() == 1);
    }

    @Test
    void the_welcome_lists_the_leader_right_after_the_own_node() {
        var follower = follower();
        try (var client = RawClient.connect(follower.listenAddress())) {
            var welcome = client.handshake("");
            assertThat(welcome.faultTolerant()).isTrue();
            assertThat(welcome.endpoints()).hasSize(3).startsWith(follower.clientAddress(), leader().clientAddress());
        }
    }

    @Test
    void a_client_whose_node_fails_gets_the_same_results_from_another() throws SocketException {
        var lost = leader();
        long session;
        OperationResult first;
        try (var client = client(lost)) {
            session = client.open(7);
            client.acquire(session, 1, "orders");
            first = client.readResult(session, 1);
            client.acquire(session, 2, "invoices"); // without waiting for the result
        }
        stop(lost);
        try (var client = client(nodes.getFirst())) {
            client.sendRequest(new Message.Attach(session, 7));
            var again = new Message.Submit(session, 1, 0, Operation.Acquire.of(ResourceShare.exclusive("orders")));
            assertThat(sendUntilAnswered(client, again, Message.Result.class).result())
                    .isEqualTo(first);
            var other = new Message.Submit(session, 2, 0, Operation.Acquire.of(ResourceShare.exclusive("invoices")));
            assertThat(sendUntilAnswered(client, other, Message.Result.class).result())
                    .isInstanceOf(OperationResult.Granted.class);
            sendUntilAnswered(client, new Message.Renew(session, 1), Message.Renewed.class);
        }
    }

    @Test
    void a_session_without_renewals_expires_and_the_next_waiter_is_granted() {
        try (var silent = client(follower());
                var next = client(leader())) {
            long first = silent.open(1, Duration.ofSeconds(3));
            silent.acquire(first, 1, "orders");
            assertThat(silent.readResult(first, 1)).isInstanceOf(OperationResult.Granted.class);
            long second = next.open(2);
            next.acquire(second, 1, "orders");
            assertThat(next.readResult(second, 1)).isEqualTo(new OperationResult.Waiting());
            assertThat(next.readResult(second, 1)).isInstanceOf(OperationResult.Granted.class);
            assertThat(silent.read(Message.SessionExpired.class, any -> true).session())
                    .isEqualTo(first);
        }
        assertThat(leader().stats().expiredSessions()).isEqualTo(1);
        assertThat(leader().stats().lostHolds()).isEqualTo(1);
    }

    @Test
    void a_node_without_a_majority_acknowledges_nothing_until_a_peer_is_back() throws SocketException {
        var isolated = follower();
        try (var client = client(isolated)) {
            long session = client.open(1);
            client.renew(session, 1);
            nodes.stream().filter(node -> node != isolated).toList().forEach(this::stop);
            client.sendRequest(new Message.Renew(session, 2));
            client.acquire(session, 1, "orders");
            client.socket().setSoTimeout(3 * RESEND_MILLIS);
            assertThat(catchThrowable(() -> client.read(Message.class, any -> true)))
                    .hasMessageContaining("timed out");
            members.stream()
                    .filter(member -> !member.node().equals(isolated.config().self()))
                    .findFirst()
                    .ifPresent(member -> nodes.add(start(member)));
            sendUntilAnswered(client, new Message.Renew(session, 2), Message.Renewed.class);
        }
    }

    /** All renewals within 100 ms share one log entry. */
    @Test
    void the_renewals_of_a_thousand_sessions_cost_about_ten_log_entries_per_second() throws InterruptedException {
        var node = follower();
        var replies = new LinkedBlockingQueue<Message.ServerReply>();
        try (var connection =
                node.loop().connect(Principal.ANONYMOUS, replies::addAll).orElseThrow()) {
            for (int nonce = 1; nonce <= 1_000; nonce++) {
                connection.submit(
                        new Message.OpenSession(nonce, new ClientInfo("worker", "here", nonce), RawClient.LEASE));
            }
            var sessions = new ArrayList<Long>();
            while (sessions.size() < 1_000) {
                sessions.add(((Message.SessionOpened) next(replies)).session());
            }
            long before = node.stats().entries();
            for (int round = 1; round <= 5; round++) {
                for (long session : sessions) {
                    connection.submit(new Message.Renew(session, round));
                }
                for (int i = 0; i < 1_000; i++) {
                    assertThat(next(replies)).isInstanceOf(Message.Renewed.class);
                }
            }
            assertThat(node.stats().entries() - before).isLessThanOrEqualTo(15);
            assertThat(node.stats().renewals()).isEqualTo(5_000);
            assertThat(node.stats().localSessions()).isEqualTo(1_000);
        }
    }

    private static Message.ServerReply next(BlockingQueue<Message.ServerReply> replies) throws InterruptedException {
        var reply = replies.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        assertThat(reply).as("a reply").isNotNull();
        return reply;
    }
}
