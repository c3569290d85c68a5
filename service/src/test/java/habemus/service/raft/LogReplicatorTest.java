package habemus.service.raft;

import static habemus.service.raft.RaftNodeFixture.N2;
import static habemus.service.raft.RaftNodeFixture.N3;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.CompletableFuture;
import org.jgroups.Address;
import org.jgroups.protocols.raft.LogEntries;
import org.jgroups.protocols.raft.RAFT;
import org.jgroups.raft.Options;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the leader of three nodes sends which entries to which follower, on a manual clock. */
class LogReplicatorTest {

    @TempDir
    private Path folder;

    private RaftNodeFixture node;

    @BeforeEach
    void lead() throws Exception {
        node = new RaftNodeFixture(folder);
        node.leading(1);
    }

    @AfterEach
    void stop() throws Exception {
        node.close();
    }

    private void propose() {
        int next = (int) node.raft.lastAppended() + 1;
        node.raft.process(List.of(Proposal.of(new byte[next])));
    }

    /** Gives access to a protected constructor. */
    private static final class Proposal extends RAFT {
        static Request of(byte[] bytes) {
            var done = new CompletableFuture<byte[]>();
            return new DownRequest(done, bytes, 0, bytes.length, false, Options.DEFAULT_OPTIONS, false);
        }
    }

    private void acknowledge(Address who, long index) {
        node.acknowledge(who, index);
        node.raft.process(new ArrayList<>());
    }

    /** The indexes of the entries of each message. The length of an entry is its index. */
    private List<String> sentTo(Address who) {
        return node.sentTo(who).stream().map(LogReplicatorTest::indices).toList();
    }

    private static String indices(LogEntries entries) {
        var indices = new StringJoiner("-");
        entries.forEach(entry -> indices.add(Integer.toString(entry.length())));
        return indices.toString();
    }

    private Address eager() {
        return sentTo(N2).isEmpty() ? N3 : N2;
    }

    private Address lazy() {
        return sentTo(N2).isEmpty() ? N2 : N3;
    }

    private void advance(int milliseconds) {
        node.nanos.addAndGet(MILLISECONDS.toNanos(milliseconds));
        node.raft.process(new ArrayList<>());
    }

    @Test
    void an_entry_goes_at_once_to_the_eager_followers_and_later_to_the_others() {
        propose();
        propose();
        var lazy = lazy();
        assertThat(sentTo(lazy)).isEmpty();
        assertThat(sentTo(eager())).containsExactly("1", "2");
        advance(1);
        assertThat(sentTo(lazy)).isEmpty();
        advance(1);
        assertThat(sentTo(lazy)).containsExactly("1-2");
        assertThat(sentTo(lazy.equals(N2) ? N3 : N2)).containsExactly("1", "2");
    }

    @Test
    void a_lazy_follower_gets_an_entry_even_if_the_leader_is_idle() {
        var unused = node.raft.setAsync(new byte[1], 0, 1, null);
        node.raft.runPending();
        ReplicatedLogContract.await(() -> !sentTo(N2).isEmpty() || !sentTo(N3).isEmpty());
        var lazy = lazy();
        node.nanos.addAndGet(MILLISECONDS.toNanos(2));
        ReplicatedLogContract.await(() -> sentTo(lazy).equals(List.of("1")));
    }

    @Test
    void a_recent_proposer_gets_entries_at_once() {
        node.raft.awaits(N2);
        node.raft.awaits(N3);
        propose();
        assertThat(sentTo(N2)).containsExactly("1");
        assertThat(sentTo(N3)).containsExactly("1");
    }

    @Test
    void a_follower_promoted_to_eager_first_gets_the_missing_entries() {
        propose();
        propose();
        var lazy = lazy();
        node.raft.awaits(lazy);
        propose();
        assertThat(sentTo(lazy)).containsExactly("1-2", "3");
    }

    @Test
    void entries_in_flight_are_not_sent_again() {
        propose();
        var lazy = lazy();
        advance(2);
        propose();
        node.raft.awaits(lazy);
        propose();
        assertThat(sentTo(lazy)).containsExactly("1", "2", "3");
    }

    @Test
    void a_follower_that_responds_replaces_an_eager_one_that_does_not() {
        propose();
        var unresponsive = eager();
        var responsive = lazy();
        acknowledge(responsive, 1);
        propose();
        assertThat(sentTo(unresponsive)).containsExactly("1");
        assertThat(sentTo(responsive)).containsExactly("2");
        acknowledge(unresponsive, 2);
        acknowledge(responsive, 2);
        propose();
        assertThat(sentTo(unresponsive)).as("both have all entries: no change").containsExactly("1");
    }

    @Test
    void a_lazy_follower_gets_the_next_batch_after_it_acknowledged_the_last() {
        propose();
        var lazy = lazy();
        advance(2);
        propose();
        advance(2);
        propose();
        advance(2);
        assertThat(sentTo(lazy)).as("no acknowledgement yet").containsExactly("1");
        acknowledge(lazy, 1);
        assertThat(sentTo(lazy)).containsExactly("1");
        advance(2);
        assertThat(sentTo(lazy)).containsExactly("1", "2-3");
    }

    @Test
    void entries_without_acknowledgement_are_sent_again() {
        propose();
        var lazy = lazy();
        advance(2);
        advance(99);
        assertThat(sentTo(lazy)).containsExactly("1");
        advance(1);
        assertThat(sentTo(lazy)).containsExactly("1", "1");
    }
}
