package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState.Mode;
import habemus.raft.RaftState.Progress;
import habemus.service.runtime.ManualEventLoop;
import habemus.service.transport.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Node 1 leads three nodes. A message is written as its receiver and what it brings. */
class ReplicationPacerTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final NodeId N3 = new NodeId(3);
    private static final Duration INTERVAL = Duration.ofMillis(5);
    private static final Mode REPLICATING = new Mode.Replicating(8, List.of());

    private final ManualEventLoop loop = new ManualEventLoop();
    private final MemberDirectory directory =
            new MemberDirectory(N1, Member.parse("n1=127.0.0.1:7001,n2=127.0.0.1:7002,n3=127.0.0.1:7003"));
    private final List<String> sent = new ArrayList<>();
    private List<Progress> followers = List.of();
    private final ReplicationPacer pacer =
            new ReplicationPacer(N1, loop, () -> followers, directory, new RecordingLog());

    private final class RecordingLog implements ProposalRouter.Log {

        @Override
        public void send(NodeId to, LogFrame frame) {
            sent.add(to
                    + switch (((LogFrame.RaftFrame) frame).message()) {
                        case RaftMessage.AppendEntries append ->
                            " entry " + (append.previous().index() + 1);
                        case RaftMessage.CommitTo commit -> " commit " + commit.commitIndex();
                        default -> " transfer";
                    });
        }

        @Override
        public void guard(Runnable task) {
            task.run();
        }
    }

    @BeforeEach
    void lead() {
        directory.update(new Configuration(NodeSet.of(List.of(N1, N2, N3)), NodeSet.NONE));
        directory.setPresent(NodeSet.of(List.of(N2, N3)));
        acknowledged(7, 7);
    }

    private void acknowledged(long second, long third) {
        followers = List.of(new Progress(N2, second, 0, REPLICATING), new Progress(N3, third, 0, REPLICATING));
    }

    private void sendToAll(long index) {
        var message = new RaftMessage.AppendEntries(1, new EntryId(index - 1, 1), List.of(), 0, 0);
        pacer.send(N2, message);
        pacer.send(N3, message);
    }

    /** The next messages wait, unless they are urgent. */
    private void sendFirst() {
        sendToAll(1);
        sent.clear();
    }

    @Test
    void a_message_after_a_pause_is_sent_at_once() {
        sendToAll(1);
        assertThat(sent).containsExactly("n2 entry 1", "n3 entry 1");
        loop.advance(INTERVAL);
        pacer.send(N3, new RaftMessage.CommitTo(1, 1));
        assertThat(sent).containsExactly("n2 entry 1", "n3 entry 1", "n3 commit 1");
    }

    @Test
    void followers_beyond_a_majority_get_messages_later_and_together() {
        sendFirst();
        sendToAll(5);
        loop.advance(INTERVAL.dividedBy(2));
        sendToAll(6);
        assertThat(sent).containsExactly("n2 entry 5", "n2 entry 6");
        loop.advance(INTERVAL.dividedBy(2));
        assertThat(sent).containsExactly("n2 entry 5", "n2 entry 6", "n3 entry 5", "n3 entry 6");
    }

    @Test
    void messages_that_were_sent_together_make_the_next_ones_wait() {
        sendFirst();
        for (int index = 5; index <= 9; index++) {
            sendToAll(index);
        }
        loop.advance(INTERVAL);
        sent.clear();
        sendToAll(10);
        assertThat(sent).containsExactly("n2 entry 10");
    }

    @Test
    void the_follower_that_has_acknowledged_most_comes_first() {
        sendFirst();
        acknowledged(7, 8);
        sendToAll(5);
        assertThat(sent).containsExactly("n3 entry 5");
    }

    @Test
    void a_follower_that_is_not_connected_does_not_count() {
        directory.setPresent(NodeSet.of(N3));
        sendToAll(1);
        assertThat(sent).containsExactly("n2 entry 1", "n3 entry 1");
    }

    @Test
    void a_follower_that_has_proposed_lately_does_not_wait() {
        pacer.onForwarded(N3);
        sendFirst();
        sendToAll(5);
        assertThat(sent).containsExactly("n2 entry 5", "n3 entry 5");
        loop.advance(Duration.ofMillis(100));
        sendFirst();
        sendToAll(6);
        assertThat(sent).containsExactly("n2 entry 6");
    }

    @Test
    void a_follower_that_catches_up_does_not_wait() {
        followers = List.of(new Progress(N2, 7, 0, REPLICATING), new Progress(N3, 3, 0, new Mode.Probing(4, false)));
        sendToAll(1);
        assertThat(sent).containsExactly("n2 entry 1", "n3 entry 1");
    }

    @Test
    void a_commit_index_waits_for_the_next_entries_which_carry_it() {
        sendFirst();
        pacer.send(N2, new RaftMessage.CommitTo(1, 7));
        sendToAll(8);
        assertThat(sent).containsExactly("n2 entry 8");
        pacer.send(N2, new RaftMessage.CommitTo(1, 8));
        loop.advance(INTERVAL);
        assertThat(sent).containsExactly("n2 entry 8", "n2 commit 8", "n3 entry 8");
    }

    @Test
    void a_follower_that_has_proposed_gets_the_commit_index_at_once() {
        pacer.onForwarded(N3);
        pacer.send(N3, new RaftMessage.CommitTo(1, 7));
        assertThat(sent).containsExactly("n3 commit 7");
    }

    @Test
    void messages_to_a_node_stay_in_their_order() {
        sendToAll(1);
        pacer.send(N3, new RaftMessage.TimeoutNow(1));
        assertThat(sent).containsExactly("n2 entry 1", "n3 entry 1", "n3 transfer");
    }

    @Test
    void a_node_that_does_not_lead_waits_with_nothing() {
        followers = List.of();
        sendToAll(1);
        assertThat(sent).containsExactly("n2 entry 1", "n3 entry 1");
    }
}
