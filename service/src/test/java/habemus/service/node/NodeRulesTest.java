package habemus.service.node;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.election.ChangRoberts;
import habemus.mutex.Central;
import habemus.mutex.TokenRing;
import habemus.protocol.NodeId;
import habemus.service.net.Member;
import habemus.service.net.Peer;
import habemus.service.record.Recorded;
import habemus.wire.Blob;
import habemus.wire.Codec;
import habemus.world.Problem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a node does about its peers, one rule at a time. */
class NodeRulesTest {

    private static final Peer SECOND = new Peer(new NodeId(2), 20);
    private static final Peer THIRD = new Peer(new NodeId(3), 30);
    private static final GroupId ORDERS = new GroupId(Problem.MUTEX, "orders");
    private static final Codec<Central.Message> MESSAGES = Codec.of(Central.Message.class);

    @TempDir
    private Path folder;

    private final FakeNet net = new FakeNet(SECOND, THIRD);
    private Node node;

    private void start(int me, String locks, String elections) {
        var members = Member.parse("127.0.0.1:1,127.0.0.1:2,127.0.0.1:3");
        var config = NodeConfig.of(members, new NodeId(me), locks, elections)
                .gatheringFor(Duration.ofSeconds(5))
                .recordingTo(folder);
        node = Node.start(config, self -> net);
    }

    @AfterEach
    void close() {
        node.close();
    }

    private static Frame request() {
        var message = MESSAGES.write(new Central.Message.Request());
        return new Frame.Carry(ORDERS, "central", 1, Blob.of(message));
    }

    /** So that everything before it has been done. */
    private Account account() throws Exception {
        return node.accounts().get(10, SECONDS).getFirst();
    }

    @Test
    void a_group_begins_with_its_first_use_and_all_are_told() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        assertThat(net.sentTo(2)).containsExactly(new Frame.Open(ORDERS, "central"));
        assertThat(net.sentTo(3)).containsExactly(new Frame.Open(ORDERS, "central"));
    }

    @Test
    void a_group_begins_with_the_first_word_of_it() throws Exception {
        start(1, "central", "bully");
        net.arrive(SECOND, request());
        assertThat(account().group()).isEqualTo(ORDERS);
        assertThat(net.sentTo(2)).singleElement().isInstanceOf(Frame.Carry.class);
    }

    @Test
    void who_joins_is_told_of_all_groups() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        net.present(SECOND);
        net.present(SECOND, new Peer(new NodeId(3), 31));
        assertThat(net.sentTo(3)).containsExactly(new Frame.Open(ORDERS, "central"), new Frame.Open(ORDERS, "central"));
        assertThat(net.sentTo(2)).hasSize(1);
    }

    @Test
    void words_of_a_life_that_is_over_are_refused() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        net.present(new Peer(new NodeId(2), 21), THIRD);
        long received = node.counts().framesReceived();
        net.arrive(SECOND, request());
        assertThat(node.counts().framesRefused()).isEqualTo(1);
        assertThat(node.counts().framesReceived()).isEqualTo(received);
    }

    @Test
    void another_algorithm_under_the_same_name_is_refused() throws Exception {
        start(1, "central --acknowledge", "bully");
        net.arrive(SECOND, request());
        assertThat(node.counts().framesRefused()).isEqualTo(1);
        assertThat(node.failure()).isNotDone();
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
        net.arrive(SECOND, new byte[Frame.LARGEST + 1]);
        assertThat(node.counts().framesRefused()).isGreaterThan(10_000);
        assertThat(node.failure()).isNotDone();
        assertThat(node.acquire("another", "me").granted().get(10, SECONDS)).isEqualTo(1);
    }

    @Test
    void an_impossible_message_stops_the_node_and_says_why() throws Exception {
        start(2, "token-ring", "bully");
        var id = new GroupId(Problem.MUTEX, "orders");
        node.acquire("orders", "me");
        var token = new TokenRing.Message.Token(0, 0);
        var bytes = Codec.of(TokenRing.Message.class).write(token);
        net.arrive(THIRD, new Frame.Carry(id, "token-ring", 1, Blob.of(bytes)));
        net.arrive(THIRD, new Frame.Carry(id, "token-ring", 2, Blob.of(bytes)));
        assertThat(node.failure().get(10, SECONDS).toString())
                .startsWith("mutex orders: ")
                .contains("Holding");
        var recorded = Recorded.read(folder, false).getFirst();
        assertThat(recorded.differences()).isEmpty();
        assertThat(recorded.outcome().bug()).startsWith("a second token cannot happen in ");
        assertThat(recorded.isFine()).isFalse();
    }

    @Test
    void a_leader_that_is_gone_is_missed_by_its_application() throws Exception {
        start(1, "central", "chang-roberts");
        node.campaign("boss");
        int before = carried(2);
        assertThat(before).isEqualTo(1);
        var boss = new GroupId(Problem.ELECTION, "boss");
        var elected = Codec.of(ChangRoberts.Message.class).write(new ChangRoberts.Message.Elected(new NodeId(3), 1));
        net.arrive(THIRD, new Frame.Carry(boss, "chang-roberts", 1, Blob.of(elected)));
        assertThat(account().leader()).isEqualTo(3);
        int told = carried(2);
        net.present(SECOND);
        assertThat(carried(2)).isEqualTo(told + 1);
    }

    private int carried(int to) throws Exception {
        account();
        return (int) net.sentTo(to).stream()
                .filter(frame -> frame instanceof Frame.Carry)
                .count();
    }

    @Test
    void all_answer_what_they_know() throws Exception {
        start(1, "central", "bully");
        node.acquire("orders", "me").granted().get(10, SECONDS);
        var answers = node.inquire(10_000);
        var asked = (Frame.Ask) net.sentTo(2).getLast();
        var theirs = new Account(ORDERS, "central", List.of(), 0, List.of(new Account.Client("you", 5)), 0, 0);
        net.arrive(SECOND, new Frame.Answer(asked.number(), new Report(2, "", List.of(theirs))));
        net.arrive(THIRD, new Frame.Answer(asked.number(), new Report(3, "", List.of())));
        var all = answers.get(10, SECONDS);
        assertThat(all).containsOnlyKeys(new NodeId(1), new NodeId(2), new NodeId(3));
        assertThat(all.get(new NodeId(2)).accounts()).containsExactly(theirs);
        assertThat(all.get(new NodeId(1)).accounts().getFirst().holder())
                .extracting(Account.Client::name)
                .containsExactly("me");
    }
}
