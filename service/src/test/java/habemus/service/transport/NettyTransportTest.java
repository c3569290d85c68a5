package habemus.service.transport;

import static habemus.service.transport.TransportNode.peer;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.algorithm.TestClusters;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes that are connected by plain TCP. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class NettyTransportTest {

    private static final int MESSAGES = 100_000;
    private static final int BATCH = 1_000;
    private static final TransportSecurity NONE = new TransportSecurity.None();

    private final List<Member> members = TestClusters.members(3);
    private final List<AutoCloseable> open = new ArrayList<>();

    private TransportNode start(int node, long incarnation) {
        return start(node, incarnation, members.subList(0, 2), "test");
    }

    private TransportNode start(int node, long incarnation, List<Member> peers, String cluster) {
        var started = TransportNode.start(peers, node, incarnation, NONE, cluster);
        open.add(started);
        return started;
    }

    @AfterEach
    void close() throws Exception {
        for (var each : open) {
            each.close();
        }
    }

    /** In batches: a node that is too busy to answer pings for two seconds would be disconnected. */
    @Test
    void messages_arrive_once_and_in_order_in_both_directions() throws Exception {
        var one = start(1, 7);
        var two = start(2, 8);
        assertThat(one.sees(peer(2, 8))).isTrue();
        assertThat(two.sees(peer(1, 7))).isTrue();
        for (int first = 0; first < MESSAGES; first += BATCH) {
            var numbers = IntStream.range(first, first + BATCH).boxed().toList();
            two.loop.execute(() -> numbers.forEach(i -> two.send(1, "" + i)));
            numbers.forEach(i -> one.send(2, "" + i));
            assertThat(two.take(BATCH))
                    .isEqualTo(numbers.stream().map(i -> "n1#7 " + i).toList());
            assertThat(one.take(BATCH))
                    .isEqualTo(numbers.stream().map(i -> "n2#8 " + i).toList());
        }
        assertThat(one.arrived).isEmpty();
        assertThat(two.arrived).isEmpty();
    }

    @Test
    void large_messages_are_delivered_up_to_a_limit() throws Exception {
        var one = start(1, 7);
        var two = start(2, 8);
        assertThat(one.sees(peer(2, 8))).isTrue();
        one.transport.send(new NodeId(2), new byte[10_000_000]);
        one.send(2, "next");
        assertThat(two.take(2)).containsExactly("n1#7 10000000 bytes", "n1#7 next");
        assertThatThrownBy(() -> one.transport.send(new NodeId(2), new byte[PeerConnection.MAX_MESSAGE_BYTES + 1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a message must have 1 to 67108864 bytes, had 67108865");
    }

    @Test
    void callbacks_run_on_the_event_loop() throws Exception {
        var loop = new NettyEventLoop("my-loop");
        var self = peer(1, 7);
        var transport = new NettyTransport(
                members.getFirst(),
                NONE,
                new ClusterHandshake("test", self, List.of(new NodeId(1), new NodeId(2))),
                loop);
        open.add(transport);
        open.add(loop);
        var threads = new CompletableFuture<String>();
        transport.setPeers(members.subList(0, 2));
        transport.start(new Transport.Listener() {
            @Override
            public void onMessage(PeerIncarnation from, byte[] bytes) {
                threads.complete(Thread.currentThread().getName() + " " + loop.inEventLoop());
            }

            @Override
            public void onPeersChanged(List<PeerIncarnation> peers) {}
        });
        var two = start(2, 8);
        assertThat(two.sees(self)).isTrue();
        two.send(1, "hello");
        assertThat(threads.get(20, SECONDS)).isEqualTo("my-loop true");
    }

    @Test
    void a_peer_that_restarts_is_connected_again_with_its_new_incarnation() throws Exception {
        var one = start(1, 7);
        var two = start(2, 8);
        assertThat(one.sees(peer(2, 8))).isTrue();
        two.close();
        assertThat(one.sees()).isTrue();
        one.send(2, "dropped");
        var again = start(2, 9);
        assertThat(one.sees(peer(2, 9))).isTrue();
        one.send(2, "delivered");
        assertThat(again.take(1)).containsExactly("n1#7 delivered");
    }

    @Test
    void a_later_incarnation_keeps_an_earlier_one_out() throws Exception {
        var one = start(1, 7);
        start(2, 9);
        assertThat(one.sees(peer(2, 9))).isTrue();
        try (var old = RawPeer.connectTo(members.getFirst())) {
            old.write(RawPeer.hello(new ClusterHandshake("test", peer(2, 8), List.of())));
            assertThat(old.read()).isEqualTo(new HandshakeFrame.Rejected("a later incarnation of n2 is connected"));
            assertThat(PortAttack.isClosedByNode(old.socket)).isTrue();
        }
        assertThat(one.views).isEmpty();
    }

    @Test
    void nodes_of_different_clusters_reject_each_other_with_the_reason() throws Exception {
        var one = start(1, 7);
        var two = start(2, 8, members.subList(0, 2), "other");
        var reason = "the cluster must be 'test', was 'other'";
        assertThat(take(one, 4)).contains("n2: " + reason);
        assertThat(take(two, 4)).contains("n1: the peer says: " + reason);
        assertThat(one.views).isEmpty();
        assertThat(two.views).isEmpty();
    }

    private static List<String> take(TransportNode node, int rejections) throws InterruptedException {
        var taken = new ArrayList<String>();
        for (int i = 0; i < rejections; i++) {
            taken.add(node.rejections.poll(20, SECONDS));
        }
        return taken;
    }

    @Test
    void a_node_rejects_another_node_at_the_address_of_its_peer() throws Exception {
        start(3, 9, members, "test");
        var wrong =
                List.of(members.get(0), new Member(new NodeId(2), members.get(2).address()));
        var one = start(1, 7, wrong, "test");
        assertThat(one.rejections.poll(20, SECONDS)).isEqualTo("n2: the node at this address must be n2, was n3");
        assertThat(one.views).isEmpty();
    }

    @Test
    void an_address_in_use_is_an_error() throws Exception {
        try (var other = new ServerSocket()) {
            other.bind(members.getFirst().address());
            assertThatThrownBy(() -> start(1, 7))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("cannot listen at ")
                    .hasMessageContaining("in use");
        }
    }

    @Test
    void a_removed_peer_is_disconnected_and_an_added_one_connected() throws Exception {
        var one = start(1, 7);
        start(2, 8);
        start(3, 9, members, "test");
        assertThat(one.sees(peer(2, 8))).isTrue();
        one.transport.setPeers(List.of(members.get(2)));
        assertThat(one.sees(peer(3, 9))).isTrue();
    }

    @Test
    void a_cut_without_a_close_is_noticed() throws Exception {
        try (var proxy = new TcpProxy(members.get(1).address())) {
            var one = start(1, 7, List.of(members.get(0), proxy.member(members.get(1))), "test");
            var two = start(2, 8);
            assertThat(one.sees(peer(2, 8))).isTrue();
            assertThat(two.sees(peer(1, 7))).isTrue();
            proxy.setPaused(true);
            long before = System.nanoTime();
            assertThat(one.sees()).isTrue();
            assertThat(two.sees()).isTrue();
            assertThat(System.nanoTime() - before).isBetween(SECONDS.toNanos(1), SECONDS.toNanos(10));
            proxy.setPaused(false);
            assertThat(one.sees(peer(2, 8))).isTrue();
            assertThat(two.sees(peer(1, 7))).isTrue();
        }
    }

    /** It answers pings, so only its full buffer can close the connection. */
    @Test
    void a_peer_that_does_not_read_is_disconnected() throws Exception {
        var handshake = new ClusterHandshake("test", peer(2, 8), List.of(new NodeId(1)));
        try (var server = new ServerSocket();
                var pings = Executors.newSingleThreadScheduledExecutor()) {
            server.bind(members.get(1).address());
            var one = start(1, 7);
            var incoming = new RawPeer(server.accept());
            incoming.read();
            incoming.write(RawPeer.hello(handshake));
            var outgoing = RawPeer.connectTo(members.getFirst());
            outgoing.write(RawPeer.hello(handshake));
            outgoing.read();
            outgoing.write(new HandshakeFrame.Accepted());
            var pinging =
                    pings.scheduleWithFixedDelay(() -> pingBoth(incoming, outgoing), 0, 200, TimeUnit.MILLISECONDS);
            assertThat(one.sees(peer(2, 8))).isTrue();
            for (int i = 0; i < 200; i++) {
                one.transport.send(new NodeId(2), new byte[1 << 20]);
            }
            assertThat(one.sees()).isTrue();
            pinging.cancel(false);
            incoming.close();
            outgoing.close();
        }
    }

    private static void pingBoth(RawPeer incoming, RawPeer outgoing) {
        try {
            incoming.ping();
            outgoing.ping();
        } catch (java.io.IOException closed) {
            throw new java.io.UncheckedIOException(closed);
        }
    }

    @Test
    void a_peer_whose_process_has_ended_is_reported() throws Exception {
        var one = start(1, 7);
        assertThat(one.refusals.poll(20, SECONDS)).isEqualTo(new NodeId(2));
        var two = start(2, 8);
        assertThat(one.sees(peer(2, 8))).isTrue();
        one.refusals.clear();
        two.close();
        assertThat(one.refusals.poll(20, SECONDS)).isEqualTo(new NodeId(2));
    }

    @Test
    void a_closed_transport_frees_its_address_and_reports_nothing() throws Exception {
        var one = start(1, 7);
        var two = start(2, 8);
        assertThat(one.sees(peer(2, 8))).isTrue();
        two.transport.close();
        assertThat(one.sees()).isTrue();
        two.views.clear();
        try (var other = new ServerSocket()) {
            other.bind(new InetSocketAddress(
                    members.get(1).address().getAddress(),
                    members.get(1).address().getPort()));
        }
        assertThat(two.views).isEmpty();
        two.transport.send(new NodeId(1), "late".getBytes(UTF_8));
        assertThat(one.arrived).isEmpty();
    }
}
