package habemus.service.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import habemus.fenced.Answer;
import habemus.fenced.Person;
import habemus.fenced.Talk;
import habemus.fenced.Want;
import habemus.fenced.Wish;
import habemus.service.net.Member;
import habemus.service.node.Clusters;
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
class FencedNodeTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int OFTEN = 300; // milliseconds

    @TempDir
    private Path folder;

    private final List<Member> members = Clusters.members(3);
    private final List<FencedNode> nodes = new ArrayList<>();

    @BeforeEach
    void start() {
        members.stream()
                .map(member -> CompletableFuture.supplyAsync(
                        () -> start(member), task -> Thread.ofVirtual().start(task)))
                .toList()
                .forEach(node -> nodes.add(node.join()));
        leader();
    }

    private FencedNode start(Member member) {
        var data = Optional.of(folder.resolve(member.node().toString()));
        return FencedNode.start(FencedConfig.of(members, member.node(), data));
    }

    @AfterEach
    void stop() {
        nodes.forEach(FencedNode::close);
    }

    private static void until(BooleanSupplier so) {
        long end = System.nanoTime() + LONG.toNanos();
        while (!so.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(end);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    /** Whom all follow that are left. */
    private FencedNode leader() {
        until(() ->
                nodes.stream().map(node -> node.reception().leader()).distinct().count() == 1
                        && nodes.stream().anyMatch(FencedNodeTest::leads));
        return nodes.stream().filter(FencedNodeTest::leads).findFirst().orElseThrow();
    }

    private static boolean leads(FencedNode node) {
        return node.reception().leader().equals(Optional.of(node.config().me()));
    }

    private FencedNode follower() {
        var leader = leader();
        return nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
    }

    private void lose(FencedNode node) {
        nodes.remove(node);
        node.close();
    }

    private static RawClient client(FencedNode node) {
        return RawClient.welcomeAt(node.address());
    }

    /** Says it again and again, as clients do, until it is answered. */
    private static <T> T insist(RawClient client, Talk.Request request, Class<T> answer) throws SocketException {
        client.socket().setSoTimeout(OFTEN);
        long end = System.nanoTime() + LONG.toNanos();
        while (System.nanoTime() < end) {
            client.say(request);
            try {
                return client.read(answer, any -> true);
            } catch (UncheckedIOException silent) {
                assertThat(silent).hasMessageContaining("timed out");
            }
        }
        throw new AssertionError("no answer to " + request);
    }

    @Test
    void any_node_serves_and_all_know_the_same() {
        try (var client = client(follower());
                var other = client(leader())) {
            long session = client.open(1);
            client.acquire(session, 1, "orders");
            var granted = (Answer.Granted) client.answer(session, 1);
            long waiting = other.open(2);
            other.acquire(waiting, 1, "orders");
            assertThat(other.answer(waiting, 1)).isEqualTo(new Answer.Waiting());
            client.ask(session, 2, new Wish.Release(1));
            assertThat(((Answer.Granted) other.answer(waiting, 1)).fence()).isGreaterThan(granted.fence());
        }
        until(() ->
                nodes.stream().map(node -> node.reception().table()).distinct().count() == 1);
    }

    @Test
    void who_leads_stands_early_in_the_list_of_doors() {
        var follower = follower();
        try (var client = RawClient.connect(follower.address())) {
            var welcome = client.hello("");
            assertThat(welcome.faultTolerant()).isTrue();
            assertThat(welcome.doors()).hasSize(3).startsWith(follower.door(), leader().door());
        }
    }

    @Test
    void whose_node_is_lost_gets_the_same_answers_elsewhere() throws SocketException {
        var lost = leader();
        long session;
        Answer first;
        try (var client = client(lost)) {
            session = client.open(7);
            client.acquire(session, 1, "orders");
            first = client.answer(session, 1);
            client.acquire(session, 2, "invoices"); // and does not wait for the answer
        }
        lose(lost);
        try (var client = client(nodes.getFirst())) {
            client.say(new Talk.Attach(session, 7));
            var again = new Talk.Ask(session, 1, 0, Wish.Acquire.of(Want.exclusive("orders")));
            assertThat(insist(client, again, Talk.Answered.class).answer()).isEqualTo(first);
            var other = new Talk.Ask(session, 2, 0, Wish.Acquire.of(Want.exclusive("invoices")));
            assertThat(insist(client, other, Talk.Answered.class).answer()).isInstanceOf(Answer.Granted.class);
            insist(client, new Talk.Renew(session, 1), Talk.Renewed.class);
        }
    }

    @Test
    void a_session_of_which_nothing_is_heard_ends_and_the_next_is_let_in() {
        try (var silent = client(follower());
                var next = client(leader())) {
            long first = silent.open(1, Duration.ofSeconds(3));
            silent.acquire(first, 1, "orders");
            assertThat(silent.answer(first, 1)).isInstanceOf(Answer.Granted.class);
            long second = next.open(2);
            next.acquire(second, 1, "orders");
            assertThat(next.answer(second, 1)).isEqualTo(new Answer.Waiting());
            assertThat(next.answer(second, 1)).isInstanceOf(Answer.Granted.class);
            assertThat(silent.read(Talk.Gone.class, any -> true).session()).isEqualTo(first);
        }
        assertThat(leader().counts().expiries()).isEqualTo(1);
        assertThat(leader().counts().losses()).isEqualTo(1);
    }

    @Test
    void a_node_that_is_alone_acknowledges_nothing_until_others_are_back() throws SocketException {
        var alone = follower();
        try (var client = client(alone)) {
            long session = client.open(1);
            client.renew(session, 1);
            nodes.stream().filter(node -> node != alone).toList().forEach(this::lose);
            client.say(new Talk.Renew(session, 2));
            client.acquire(session, 1, "orders");
            client.socket().setSoTimeout(3 * OFTEN);
            assertThat(catchThrowable(() -> client.read(Talk.class, any -> true)))
                    .hasMessageContaining("timed out");
            members.stream()
                    .filter(member -> !member.node().equals(alone.config().me()))
                    .findFirst()
                    .ifPresent(member -> nodes.add(start(member)));
            insist(client, new Talk.Renew(session, 2), Talk.Renewed.class);
        }
    }

    /** All that are renewed within a tenth of a second ride in one entry. */
    @Test
    void a_thousand_sessions_cost_about_ten_entries_a_second() throws InterruptedException {
        var node = follower();
        var replies = new LinkedBlockingQueue<Talk.Reply>();
        try (var connection =
                node.reception().connect(Visitor.ANYBODY, replies::addAll).orElseThrow()) {
            for (int nonce = 1; nonce <= 1_000; nonce++) {
                connection.say(new Talk.Open(nonce, new Person("worker", "here", nonce), RawClient.LEASE));
            }
            var sessions = new ArrayList<Long>();
            while (sessions.size() < 1_000) {
                sessions.add(((Talk.Opened) next(replies)).session());
            }
            long before = node.counts().entries();
            for (int round = 1; round <= 5; round++) {
                for (long session : sessions) {
                    connection.say(new Talk.Renew(session, round));
                }
                for (int i = 0; i < 1_000; i++) {
                    assertThat(next(replies)).isInstanceOf(Talk.Renewed.class);
                }
            }
            assertThat(node.counts().entries() - before).isLessThanOrEqualTo(15);
            assertThat(node.counts().renewals()).isEqualTo(5_000);
            assertThat(node.counts().served()).isEqualTo(1_000);
        }
    }

    private static Talk.Reply next(BlockingQueue<Talk.Reply> replies) throws InterruptedException {
        var reply = replies.poll(LONG.toSeconds(), TimeUnit.SECONDS);
        assertThat(reply).as("a reply").isNotNull();
        return reply;
    }
}
