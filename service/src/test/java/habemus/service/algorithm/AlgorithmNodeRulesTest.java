package habemus.service.algorithm;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.codec.Codec;
import habemus.election.ChangRoberts;
import habemus.mutex.Central;
import habemus.mutex.TokenRing;
import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.service.trace.RecordedRun;
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

    private final FakeTransport transport = new FakeTransport(SECOND, THIRD);
    private AlgorithmNode node;

    private void start(int self, String locks, String elections) {
        var members = Member.parse("127.0.0.1:1,127.0.0.1:2,127.0.0.1:3");
        var config = AlgorithmNodeConfig.of(members, new NodeId(self), locks, elections)
                .withStartupWait(Duration.ofSeconds(5))
                .withTraceFolder(folder);
        node = AlgorithmNode.start(config, incarnation -> transport);
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
        assertThat(transport.sentTo(2)).containsExactly(new PeerFrame.OpenGroup(ORDERS, "central"));
        assertThat(transport.sentTo(3)).containsExactly(new PeerFrame.OpenGroup(ORDERS, "central"));
    }

    @Test
    void a_group_starts_with_its_first_message() throws Exception {
        start(1, "central", "bully");
        transport.arrive(SECOND, request());
        assertThat(status().group()).isEqualTo(ORDERS);
        assertThat(transport.sentTo(2)).singleElement().isInstanceOf(PeerFrame.AlgorithmMessage.class);
    }

    @Test
    void a_joining_peer_gets_all_groups() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        transport.present(SECOND);
        transport.present(SECOND, new PeerIncarnation(new NodeId(3), 31));
        assertThat(transport.sentTo(3))
                .containsExactly(
                        new PeerFrame.OpenGroup(ORDERS, "central"), new PeerFrame.OpenGroup(ORDERS, "central"));
        assertThat(transport.sentTo(2)).hasSize(1);
    }

    @Test
    void a_frame_of_an_old_incarnation_is_rejected() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        transport.present(new PeerIncarnation(new NodeId(2), 21), THIRD);
        long received = node.counters().framesReceived();
        transport.arrive(SECOND, request());
        assertThat(node.counters().framesRejected()).isEqualTo(1);
        assertThat(node.counters().framesReceived()).isEqualTo(received);
    }

    @Test
    void another_algorithm_for_the_same_group_is_rejected() throws Exception {
        start(1, "central --acknowledge", "bully");
        transport.arrive(SECOND, request());
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
        transport.arrive(THIRD, new PeerFrame.AlgorithmMessage(id, "token-ring", 1, ByteString.of(bytes)));
        transport.arrive(THIRD, new PeerFrame.AlgorithmMessage(id, "token-ring", 2, ByteString.of(bytes)));
        assertThat(node.failure().get(10, SECONDS).toString())
                .startsWith("mutex orders: ")
                .contains("Holding");
        var run = RecordedRun.read(List.of(folder), false).getFirst();
        assertThat(run.differences()).isEmpty();
        assertThat(run.runResult().bug()).startsWith("a second token cannot happen in ");
        assertThat(run.isCorrect()).isFalse();
    }

    @Test
    void an_election_without_detector_is_started_when_its_leader_leaves() throws Exception {
        start(1, "central", "chang-roberts");
        node.campaign("boss");
        int before = messagesSent(2);
        assertThat(before).isEqualTo(1);
        var boss = new GroupId(Problem.ELECTION, "boss");
        var elected = Codec.of(ChangRoberts.Message.class).write(new ChangRoberts.Message.Elected(new NodeId(3), 1));
        transport.arrive(THIRD, new PeerFrame.AlgorithmMessage(boss, "chang-roberts", 1, ByteString.of(elected)));
        assertThat(status().leader()).isEqualTo(3);
        int sentBefore = messagesSent(2);
        transport.present(SECOND);
        assertThat(messagesSent(2)).isEqualTo(sentBefore + 1);
    }

    private int messagesSent(int to) throws Exception {
        status();
        return (int) transport.sentTo(to).stream()
                .filter(frame -> frame instanceof PeerFrame.AlgorithmMessage)
                .count();
    }

    @Test
    void a_query_collects_the_reports_of_all_nodes() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        var reports = node.queryAll(10_000);
        var request = (PeerFrame.StatusRequest) transport.sentTo(2).getLast();
        var peerStatus =
                new GroupStatus(ORDERS, "central", List.of(), 0, List.of(new GroupStatus.Client("you", 5)), 0, 0);
        transport.arrive(
                SECOND, new PeerFrame.StatusReply(request.queryId(), new NodeReport(2, "", List.of(peerStatus))));
        transport.arrive(THIRD, new PeerFrame.StatusReply(request.queryId(), new NodeReport(3, "", List.of())));
        var all = reports.get(10, SECONDS);
        assertThat(all).containsOnlyKeys(new NodeId(1), new NodeId(2), new NodeId(3));
        assertThat(all.get(new NodeId(2)).groups()).containsExactly(peerStatus);
        assertThat(all.get(new NodeId(1)).groups().getFirst().holder())
                .extracting(GroupStatus.Client::name)
                .containsExactly("me");
    }
}
