package habemus.service.recording;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.ByteString;
import habemus.protocol.Configuration;
import habemus.protocol.EntryId;
import habemus.protocol.LogEntry;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PersistentLog;
import habemus.raft.RaftState;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a disk may lack when a node starts again. */
class DiskContinuityTest {

    private static final long TERM = 3;
    private static final NodeId SELF = new NodeId(1);
    private static final NodeSet VOTE = NodeSet.of(new NodeId(2));

    /** A log of this many entries of the term. */
    private static RaftState.DurableState disk(long term, NodeSet vote, int entries, long synced) {
        var log = PersistentLog.startingAfter(new EntryId(0, 0), new Configuration(NodeSet.NONE, NodeSet.NONE))
                .append(Collections.nCopies(entries, new LogEntry(TERM, new LogEntry.NoOp())));
        return new RaftState.DurableState(term, vote, log, synced, ByteString.EMPTY);
    }

    /** The state of a node with five entries. */
    private static RaftState before(long synced, long committed) {
        return new RaftState(SELF, disk(TERM, VOTE, 5, synced), committed, List.of(), new RaftState.Role.Listening());
    }

    private static Optional<String> lossAfterCrash(RaftState before, RaftState.DurableState disk) {
        return DiskContinuity.loss(before, disk, false);
    }

    @Test
    void a_synced_entry_stays() {
        assertThat(lossAfterCrash(before(4, 2), disk(TERM, VOTE, 4, 4))).isEmpty();
        assertThat(lossAfterCrash(before(4, 2), disk(TERM, VOTE, 3, 3)))
                .hasValueSatisfying(loss -> assertThat(loss).contains("entry 4@3 was synced"));
    }

    @Test
    void an_entry_that_others_synced_may_be_lost_although_it_was_committed() {
        assertThat(lossAfterCrash(before(4, 5), disk(TERM, VOTE, 4, 4))).isEmpty();
        assertThat(DiskContinuity.loss(before(4, 5), disk(TERM, VOTE, 4, 4), true))
                .isEmpty();
    }

    @Test
    void in_a_later_term_only_committed_entries_stay() {
        assertThat(lossAfterCrash(before(4, 2), disk(TERM + 1, NodeSet.NONE, 2, 2)))
                .isEmpty();
        assertThat(lossAfterCrash(before(4, 2), disk(TERM + 1, NodeSet.NONE, 1, 1)))
                .isPresent();
    }

    @Test
    void the_term_never_falls_and_a_vote_stays_in_its_term() {
        assertThat(lossAfterCrash(before(4, 2), disk(TERM - 1, VOTE, 5, 5))).isPresent();
        assertThat(lossAfterCrash(before(4, 2), disk(TERM, NodeSet.NONE, 5, 5)))
                .hasValueSatisfying(loss -> assertThat(loss).contains("vote"));
    }

    @Test
    void after_a_stop_the_term_is_the_same() {
        var newer = disk(TERM + 1, NodeSet.NONE, 5, 5);
        assertThat(DiskContinuity.loss(before(4, 2), newer, true)).isPresent();
        assertThat(DiskContinuity.loss(before(4, 2), newer, false)).isEmpty();
    }
}
