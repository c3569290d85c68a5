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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Three nodes in one process, on real sockets and disks. */
@Execution(ExecutionMode.CONCURRENT)
class LockServerNodeTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int OFTEN = 300; // milliseconds

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
    void stop() {
        nodes.forEach(LockServerNode::close);
    }

    private static void until(BooleanSupplier so) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!so.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** Whom all follow that are left. */
    private LockServerNode leader() {
        until(() -> nodes.stream().map(node -> node.loop().leader()).distinct().count() == 1
                && nodes.stream().anyMatch(LockServerNodeTest::leads));
        return nodes.stream().filter(LockServerNodeTest::leads).findFirst().orElseThrow();
    }

    private static boolean leads(LockServerNode node) {
        return node.loop().leader().equals(Optional.of(node.config().self()));
    }

    private LockServerNode follower() {
        var leader = leader();
        return nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
    }

    private void lose(LockServerNode node) {
        nodes.remove(node);
        node.close();
    }

    private static RawClient client(LockServerNode node) {
        return RawClient.connectAndHandshake(node.listenAddress());
    }

    /** Says it again and again, as clients do, until it is answered. */
    private static <T> T insist(RawClient client, Message.ClientRequest clientRequest, Class<T> answer)
            throws SocketException {
        client.socket().setSoTimeout(OFTEN);
        long end = System.nanoTime() + LONG.toNanos();
        while (System.nanoTime() < end) {
            client.sendRequest(clientRequest);
            try {
                return client.read(answer, any -> true);
            } catch (UncheckedIOException silent) {
                assertThat(silent).hasMessageContaining("timed out");
            }
        }
        throw new AssertionError("no answer to " + clientRequest);
    }

    @Test
    void any_node_serves_and_all_know_the_same() {
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
        until(() -> nodes.stream().map(node -> node.loop().table()).distinct().count() == 1);
    }

    @Test
    void who_leads_stands_early_in_the_list_of_doors() {
        var follower = follower();
        try (var client = RawClient.connect(follower.listenAddress())) {
            var welcome = client.handshake("");
            assertThat(welcome.faultTolerant()).isTrue();
            assertThat(welcome.endpoints()).hasSize(3).startsWith(follower.clientAddress(), leader().clientAddress());
        }
    }

    @Test
    void whose_node_is_lost_gets_the_same_answers_elsewhere() throws SocketException {
        var lost = leader();
        long session;
        OperationResult first;
        try (var client = client(lost)) {
            session = client.open(7);
            client.acquire(session, 1, "orders");
            first = client.readResult(session, 1);
            client.acquire(session, 2, "invoices"); // and does not wait for the answer
        }
        lose(lost);
        try (var client = client(nodes.getFirst())) {
            client.sendRequest(new Message.Attach(session, 7));
            var again = new Message.Submit(session, 1, 0, Operation.Acquire.of(ResourceShare.exclusive("orders")));
            assertThat(insist(client, again, Message.Result.class).result()).isEqualTo(first);
            var other = new Message.Submit(session, 2, 0, Operation.Acquire.of(ResourceShare.exclusive("invoices")));
            assertThat(insist(client, other, Message.Result.class).result())
                    .isInstanceOf(OperationResult.Granted.class);
            insist(client, new Message.Renew(session, 1), Message.Renewed.class);
        }
    }

    @Test
    void a_session_of_which_nothing_is_heard_ends_and_the_next_is_let_in() {
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
    void a_node_that_is_alone_acknowledges_nothing_until_others_are_back() throws SocketException {
        var alone = follower();
        try (var client = client(alone)) {
            long session = client.open(1);
            client.renew(session, 1);
            nodes.stream().filter(node -> node != alone).toList().forEach(this::lose);
            client.sendRequest(new Message.Renew(session, 2));
            client.acquire(session, 1, "orders");
            client.socket().setSoTimeout(3 * OFTEN);
            assertThat(catchThrowable(() -> client.read(Message.class, any -> true)))
                    .hasMessageContaining("timed out");
            members.stream()
                    .filter(member -> !member.node().equals(alone.config().self()))
                    .findFirst()
                    .ifPresent(member -> nodes.add(start(member)));
            insist(client, new Message.Renew(session, 2), Message.Renewed.class);
        }
    }

    /** All that are renewed within a tenth of a second ride in one entry. */
    @Test
    void a_thousand_sessions_cost_about_ten_entries_a_second() throws InterruptedException {
        var node = follower();
        var serverReplies = new LinkedBlockingQueue<Message.ServerReply>();
        try (var clientConnection =
                node.loop().connect(Principal.ANONYMOUS, serverReplies::addAll).orElseThrow()) {
            for (int nonce = 1; nonce <= 1_000; nonce++) {
                clientConnection.submit(
                        new Message.OpenSession(nonce, new ClientInfo("worker", "here", nonce), RawClient.LEASE));
            }
            var sessions = new ArrayList<Long>();
            while (sessions.size() < 1_000) {
                sessions.add(((Message.SessionOpened) next(serverReplies)).session());
            }
            long before = node.stats().entries();
            for (int round = 1; round <= 5; round++) {
                for (long session : sessions) {
                    clientConnection.submit(new Message.Renew(session, round));
                }
                for (int i = 0; i < 1_000; i++) {
                    assertThat(next(serverReplies)).isInstanceOf(Message.Renewed.class);
                }
            }
            assertThat(node.stats().entries() - before).isLessThanOrEqualTo(15);
            assertThat(node.stats().renewals()).isEqualTo(5_000);
            assertThat(node.stats().localSessions()).isEqualTo(1_000);
        }
    }

    private static Message.ServerReply next(BlockingQueue<Message.ServerReply> serverReplies)
            throws InterruptedException {
        var serverReply = serverReplies.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(serverReply).as("a reply").isNotNull();
        return serverReply;
    }
}
