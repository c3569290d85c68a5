package habemus.service.algorithm;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.codec.Codec;
import habemus.election.ChangRoberts;
import habemus.mutex.Central;
import habemus.mutex.TokenRing;
import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.service.runtime.ManualEventLoop;
import habemus.service.trace.RecordedRun;
import habemus.service.transport.FakeTransport;
import habemus.service.transport.Member;
import habemus.service.transport.PeerIncarnation;
import habemus.world.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a node reacts to frames and changes of its peers. */
class AlgorithmNodeRulesTest {

    private static final PeerIncarnation SECOND = new PeerIncarnation(new NodeId(2), 20);
    private static final PeerIncarnation THIRD = new PeerIncarnation(new NodeId(3), 30);
    private static final GroupId ORDERS = new GroupId(Problem.MUTEX, "orders");
    private static final Codec<Central.Message> MESSAGES = Codec.of(Central.Message.class);

    @TempDir
    private Path folder;

    private final ManualEventLoop loop = ManualEventLoop.eager();
    private final FakeTransport transport = new FakeTransport(SECOND, THIRD);
    private AlgorithmNode node;

    private void start(int self, String locks, String elections) {
        var members = Member.parse("127.0.0.1:1,127.0.0.1:2,127.0.0.1:3");
        var config = AlgorithmNodeConfig.of(members, new NodeId(self), locks, elections)
                .withStartupWait(Duration.ofSeconds(5))
                .withTraceFolder(folder);
        node = AlgorithmNode.start(config, new NodeHost(loop, (incarnation, admission) -> transport, () -> {}));
    }

    private void arrive(PeerIncarnation from, PeerFrame frame) {
        transport.arrive(from, frame.toBytes());
    }

    /** Frames sent to a node so far, without those of the failure detector. */
    private List<PeerFrame> sentTo(int to) {
        return transport.sentTo(new NodeId(to)).stream()
                .map(PeerFrame::read)
                .filter(frame -> !(frame instanceof PeerFrame.DetectorMessage))
                .toList();
    }

    /** A heartbeat of the default detector. */
    private static PeerFrame heartbeat() {
        return new PeerFrame.DetectorMessage(AlgorithmNodeConfig.DEFAULT_DETECTOR, ByteString.EMPTY);
    }

    /** Lets time pass in which these peers send heartbeats. */
    private void advance(Duration time, PeerIncarnation... alive) {
        var period = Duration.ofSeconds(1);
        for (var left = time; left.isPositive(); left = left.minus(period)) {
            loop.advance(left.compareTo(period) < 0 ? left : period);
            List.of(alive).forEach(peer -> arrive(peer, heartbeat()));
        }
    }

    private List<Integer> present() {
        return node.presentPeers().stream().map(peer -> peer.node().number()).toList();
    }

    @AfterEach
    void close() {
        node.close();
    }

    private static PeerFrame request() {
        var message = MESSAGES.write(new Central.Message.Request());
        return new PeerFrame.AlgorithmMessage(ORDERS, "central", 1, ByteString.of(message));
    }

    /** Also waits until all events before are handled. */
    private GroupStatus status() throws Exception {
        return node.statuses().get(10, SECONDS).getFirst();
    }

    @Test
    void a_group_starts_with_its_first_use_on_all_nodes() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        assertThat(sentTo(2)).containsExactly(new PeerFrame.OpenGroup(ORDERS, "central"));
        assertThat(sentTo(3)).containsExactly(new PeerFrame.OpenGroup(ORDERS, "central"));
    }

    @Test
    void a_group_starts_with_its_first_message() throws Exception {
        start(1, "central", "bully");
        arrive(SECOND, request());
        assertThat(status().group()).isEqualTo(ORDERS);
        assertThat(sentTo(2)).singleElement().isInstanceOf(PeerFrame.AlgorithmMessage.class);
    }

    @Test
    void frames_that_arrive_while_a_node_starts_are_handled() throws Exception {
        transport.arriveAtStart(THIRD, heartbeat().toBytes());
        transport.arriveAtStart(SECOND, request().toBytes());
        start(1, "central", "bully");
        assertThat(node.failure()).isNotDone();
        assertThat(status().group()).isEqualTo(ORDERS);
        assertThat(sentTo(2)).singleElement().isInstanceOf(PeerFrame.AlgorithmMessage.class);
    }

    @Test
    void a_joining_peer_gets_all_groups() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        transport.connect(SECOND);
        transport.connect(SECOND, new PeerIncarnation(new NodeId(3), 31));
        assertThat(sentTo(3))
                .containsExactly(
                        new PeerFrame.OpenGroup(ORDERS, "central"), new PeerFrame.OpenGroup(ORDERS, "central"));
        assertThat(sentTo(2)).hasSize(1);
    }

    @Test
    void a_frame_of_an_old_incarnation_is_dropped() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        transport.connect(new PeerIncarnation(new NodeId(2), 21), THIRD);
        long received = node.counters().framesReceived();
        arrive(SECOND, request());
        assertThat(node.counters().framesReceived()).isEqualTo(received);
    }

    @Test
    void another_algorithm_for_the_same_group_is_rejected() throws Exception {
        start(1, "central --acknowledge", "bully");
        arrive(SECOND, request());
        assertThat(node.counters().framesRejected()).isEqualTo(1);
        assertThat(node.failure()).isNotDone();
    }

    /** Frames with a flipped bit, and random bytes. */
    @Test
    void malformed_frames_do_not_stop_a_node() throws Exception {
        start(1, "central", "bully");
        var random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes;
            if (random.nextBoolean()) {
                bytes = new byte[random.nextInt(64)];
                random.nextBytes(bytes);
            } else {
                bytes = request().toBytes();
                bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            }
            transport.arrive(SECOND, bytes);
        }
        transport.arrive(SECOND, new byte[PeerFrame.MAX_BYTES + 1]);
        assertThat(node.counters().framesRejected()).isGreaterThan(10_000);
        assertThat(node.failure()).isNotDone();
        assertThat(node.acquire("another", "me").granted().get(10, SECONDS)).isEqualTo(1);
    }

    @Test
    void an_impossible_message_stops_the_node_with_the_cause() throws Exception {
        start(2, "token-ring", "bully");
        var id = new GroupId(Problem.MUTEX, "orders");
        node.acquire("orders", "me");
        var token = new TokenRing.Message.Token(0, 0);
        var bytes = Codec.of(TokenRing.Message.class).write(token);
        arrive(THIRD, new PeerFrame.AlgorithmMessage(id, "token-ring", 1, ByteString.of(bytes)));
        arrive(THIRD, new PeerFrame.AlgorithmMessage(id, "token-ring", 2, ByteString.of(bytes)));
        assertThat(node.failure().get(10, SECONDS).toString())
                .startsWith("mutex orders: ")
                .contains("Holding");
        var run = RecordedRun.read(List.of(folder), false).getFirst();
        assertThat(run.differences()).isEmpty();
        assertThat(run.runResult().bug()).startsWith("a second token cannot happen in ");
        assertThat(run.isCorrect()).isFalse();
    }

    @Test
    void an_election_that_ignores_the_detector_is_started_when_its_leader_is_suspected() throws Exception {
        start(1, "central", "chang-roberts");
        node.campaign("boss");
        int before = messagesSent(2);
        assertThat(before).isEqualTo(1);
        var boss = new GroupId(Problem.ELECTION, "boss");
        var elected = Codec.of(ChangRoberts.Message.class).write(new ChangRoberts.Message.Elected(new NodeId(3), 1));
        arrive(THIRD, new PeerFrame.AlgorithmMessage(boss, "chang-roberts", 1, ByteString.of(elected)));
        assertThat(status().leader()).isEqualTo(3);
        int sentBefore = messagesSent(2);
        transport.refuse(THIRD.node());
        assertThat(messagesSent(2)).isEqualTo(sentBefore + 1);
    }

    @Test
    void a_closed_connection_is_no_suspicion() {
        start(1, "central", "bully");
        transport.connect(THIRD);
        assertThat(present()).containsExactly(2, 3);
    }

    @Test
    void a_silent_peer_is_suspected_after_the_detection_time_and_restored_by_a_heartbeat() {
        start(1, "central", "bully");
        advance(Duration.ofSeconds(10), SECOND, THIRD);
        advance(AlgorithmNodeConfig.DEFAULT_DETECTION_TIME.minusMillis(1), SECOND);
        assertThat(present()).containsExactly(2, 3);
        advance(Duration.ofMillis(1), SECOND);
        assertThat(present()).containsExactly(2);
        arrive(THIRD, heartbeat());
        assertThat(present()).containsExactly(2, 3);
    }

    @Test
    void a_peer_whose_machine_refuses_connections_is_suspected_at_once_until_it_is_connected() {
        start(1, "central", "bully");
        transport.connect(SECOND);
        transport.refuse(THIRD.node());
        assertThat(present()).containsExactly(2);
        transport.connect(SECOND, new PeerIncarnation(THIRD.node(), 31));
        assertThat(present()).containsExactly(2, 3);
    }

    /** The suspicion of the old incarnation makes n1 a leader, and the new one n3. */
    @Test
    void a_new_incarnation_is_suspected_and_restored_in_every_group() throws Exception {
        start(1, "central", "max-alive");
        node.campaign("boss");
        assertThat(status().leader()).isEqualTo(3);
        long before = status().term();
        transport.connect(SECOND, new PeerIncarnation(THIRD.node(), 31));
        assertThat(status().leader()).isEqualTo(3);
        assertThat(status().term()).isGreaterThan(before);
    }

    @Test
    void the_last_heartbeat_is_sent_again_to_a_peer_that_connects() {
        start(1, "central", "bully");
        transport.connect(SECOND);
        int before = transport.sentTo(THIRD.node()).size();
        transport.connect(SECOND, THIRD);
        assertThat(transport.sentTo(THIRD.node())).hasSize(before + 1);
        assertThat(PeerFrame.read(transport.sentTo(THIRD.node()).getLast())).isEqualTo(heartbeat());
    }

    @Test
    void a_message_of_another_detector_is_rejected() {
        start(1, "central", "bully");
        arrive(SECOND, new PeerFrame.DetectorMessage("perfect", ByteString.EMPTY));
        assertThat(node.counters().framesRejected()).isEqualTo(1);
    }

    private int messagesSent(int to) throws Exception {
        status();
        return (int) sentTo(to).stream()
                .filter(frame -> frame instanceof PeerFrame.AlgorithmMessage)
                .count();
    }

    @Test
    void a_query_collects_the_reports_of_all_nodes() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        var reports = node.queryAll(10_000);
        var request = (PeerFrame.StatusRequest) sentTo(2).getLast();
        var peerStatus =
                new GroupStatus(ORDERS, "central", List.of(), 0, List.of(new GroupStatus.Client("you", 5)), 0, 0);
        arrive(SECOND, new PeerFrame.StatusReply(request.queryId(), new NodeReport(2, "", List.of(peerStatus))));
        arrive(THIRD, new PeerFrame.StatusReply(request.queryId(), new NodeReport(3, "", List.of())));
        var all = reports.get(10, SECONDS);
        assertThat(all).containsOnlyKeys(new NodeId(1), new NodeId(2), new NodeId(3));
        assertThat(all.get(new NodeId(2)).groups()).containsExactly(peerStatus);
        assertThat(all.get(new NodeId(1)).groups().getFirst().holder())
                .extracting(GroupStatus.Client::name)
                .containsExactly("me");
    }
}
