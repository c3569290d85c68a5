package habemus.service.algorithm;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.codec.ByteString;
import habemus.codec.Codec;
import habemus.election.ChangRoberts;
import habemus.mutex.Central;
import habemus.mutex.TokenRing;
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

/** What a node does about its peers, one rule at a time. */
class AlgorithmNodeRulesTest {

    private static final PeerIncarnation SECOND = new PeerIncarnation(new NodeId(2), 20);
    private static final PeerIncarnation THIRD = new PeerIncarnation(new NodeId(3), 30);
    private static final GroupId ORDERS = new GroupId(Problem.MUTEX, "orders");
    private static final Codec<Central.Message> MESSAGES = Codec.of(Central.Message.class);

    @TempDir
    private Path folder;

    private final FakeTransport net = new FakeTransport(SECOND, THIRD);
    private AlgorithmNode algorithmNode;

    private void start(int me, String locks, String elections) {
        var members = Member.parse("127.0.0.1:1,127.0.0.1:2,127.0.0.1:3");
        var config = AlgorithmNodeConfig.of(members, new NodeId(me), locks, elections)
                .withStartupWait(Duration.ofSeconds(5))
                .withTraceFolder(folder);
        algorithmNode = AlgorithmNode.start(config, self -> net);
    }

    @AfterEach
    void close() {
        algorithmNode.close();
    }

    private static PeerFrame request() {
        var message = MESSAGES.write(new Central.Message.Request());
        return new PeerFrame.AlgorithmMessage(ORDERS, "central", 1, ByteString.of(message));
    }

    /** So that everything before it has been done. */
    private GroupStatus account() throws Exception {
        return algorithmNode.statuses().get(10, SECONDS).getFirst();
    }

    @Test
    void a_group_begins_with_its_first_use_and_all_are_told() throws Exception {
        start(1, "central", "bully");
        algorithmNode.acquire("orders", "me").granted().get(10, SECONDS);
        assertThat(net.sentTo(2)).containsExactly(new PeerFrame.OpenGroup(ORDERS, "central"));
        assertThat(net.sentTo(3)).containsExactly(new PeerFrame.OpenGroup(ORDERS, "central"));
    }

    @Test
    void a_group_begins_with_the_first_word_of_it() throws Exception {
        start(1, "central", "bully");
        net.arrive(SECOND, request());
        assertThat(account().group()).isEqualTo(ORDERS);
        assertThat(net.sentTo(2)).singleElement().isInstanceOf(PeerFrame.AlgorithmMessage.class);
    }

    @Test
    void who_joins_is_told_of_all_groups() throws Exception {
        start(1, "central", "bully");
        algorithmNode.acquire("orders", "me").granted().get(10, SECONDS);
        net.present(SECOND);
        net.present(SECOND, new PeerIncarnation(new NodeId(3), 31));
        assertThat(net.sentTo(3))
                .containsExactly(
                        new PeerFrame.OpenGroup(ORDERS, "central"), new PeerFrame.OpenGroup(ORDERS, "central"));
        assertThat(net.sentTo(2)).hasSize(1);
    }

    @Test
    void words_of_a_life_that_is_over_are_refused() throws Exception {
        start(1, "central", "bully");
        algorithmNode.acquire("orders", "me").granted().get(10, SECONDS);
        net.present(new PeerIncarnation(new NodeId(2), 21), THIRD);
        long received = algorithmNode.counters().framesReceived();
        net.arrive(SECOND, request());
        assertThat(algorithmNode.counters().framesRejected()).isEqualTo(1);
        assertThat(algorithmNode.counters().framesReceived()).isEqualTo(received);
    }

    @Test
    void another_algorithm_under_the_same_name_is_refused() throws Exception {
        start(1, "central --acknowledge", "bully");
        net.arrive(SECOND, request());
        assertThat(algorithmNode.counters().framesRejected()).isEqualTo(1);
        assertThat(algorithmNode.failure()).isNotDone();
    }

    /** Whole frames with something changed, and mere noise. */
    @Test
    void garbage_stops_nobody() throws Exception {
        start(1, "central", "bully");
        var chance = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes;
            if (chance.nextBoolean()) {
                bytes = new byte[chance.nextInt(64)];
                chance.nextBytes(bytes);
            } else {
                bytes = request().toBytes();
                bytes[chance.nextInt(bytes.length)] ^= (byte) (1 << chance.nextInt(8));
            }
            net.arrive(SECOND, bytes);
        }
        net.arrive(SECOND, new byte[PeerFrame.MAX_BYTES + 1]);
        assertThat(algorithmNode.counters().framesRejected()).isGreaterThan(10_000);
        assertThat(algorithmNode.failure()).isNotDone();
        assertThat(algorithmNode.acquire("another", "me").granted().get(10, SECONDS))
                .isEqualTo(1);
    }

    @Test
    void an_impossible_message_stops_the_node_and_says_why() throws Exception {
        start(2, "token-ring", "bully");
        var id = new GroupId(Problem.MUTEX, "orders");
        algorithmNode.acquire("orders", "me");
        var token = new TokenRing.Message.Token(0, 0);
        var bytes = Codec.of(TokenRing.Message.class).write(token);
        net.arrive(THIRD, new PeerFrame.AlgorithmMessage(id, "token-ring", 1, ByteString.of(bytes)));
        net.arrive(THIRD, new PeerFrame.AlgorithmMessage(id, "token-ring", 2, ByteString.of(bytes)));
        assertThat(algorithmNode.failure().get(10, SECONDS).toString())
                .startsWith("mutex orders: ")
                .contains("Holding");
        var recordedRun = RecordedRun.read(folder, false).getFirst();
        assertThat(recordedRun.differences()).isEmpty();
        assertThat(recordedRun.runResult().bug()).startsWith("a second token cannot happen in ");
        assertThat(recordedRun.isCorrect()).isFalse();
    }

    @Test
    void a_leader_that_is_gone_is_missed_by_its_application() throws Exception {
        start(1, "central", "chang-roberts");
        algorithmNode.campaign("boss");
        int before = carried(2);
        assertThat(before).isEqualTo(1);
        var boss = new GroupId(Problem.ELECTION, "boss");
        var elected = Codec.of(ChangRoberts.Message.class).write(new ChangRoberts.Message.Elected(new NodeId(3), 1));
        net.arrive(THIRD, new PeerFrame.AlgorithmMessage(boss, "chang-roberts", 1, ByteString.of(elected)));
        assertThat(account().leader()).isEqualTo(3);
        int told = carried(2);
        net.present(SECOND);
        assertThat(carried(2)).isEqualTo(told + 1);
    }

    private int carried(int to) throws Exception {
        account();
        return (int) net.sentTo(to).stream()
                .filter(peerFrame -> peerFrame instanceof PeerFrame.AlgorithmMessage)
                .count();
    }

    @Test
    void all_answer_what_they_know() throws Exception {
        start(1, "central", "bully");
        algorithmNode.acquire("orders", "me").granted().get(10, SECONDS);
        var answers = algorithmNode.queryAll(10_000);
        var asked = (PeerFrame.StatusRequest) net.sentTo(2).getLast();
        var theirs = new GroupStatus(ORDERS, "central", List.of(), 0, List.of(new GroupStatus.Client("you", 5)), 0, 0);
        net.arrive(SECOND, new PeerFrame.StatusReply(asked.queryId(), new NodeReport(2, "", List.of(theirs))));
        net.arrive(THIRD, new PeerFrame.StatusReply(asked.queryId(), new NodeReport(3, "", List.of())));
        var all = answers.get(10, SECONDS);
        assertThat(all).containsOnlyKeys(new NodeId(1), new NodeId(2), new NodeId(3));
        assertThat(all.get(new NodeId(2)).groups()).containsExactly(theirs);
        assertThat(all.get(new NodeId(1)).groups().getFirst().holder())
                .extracting(GroupStatus.Client::name)
                .containsExactly("me");
    }
}
