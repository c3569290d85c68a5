package habemus.raft;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.EntryId;
import habemus.raft.RaftMessage.AppendAck;
import org.junit.jupiter.api.Test;

class RaftAcknowledgementTest {

    /**
     * The leader of term 3 is rejected, and then the follower syncs entries of term 1. If the follower acknowledged its
     * last index, the leader would commit an entry that only it has, and node 1 could lead term 4 without it.
     */
    @Test
    void a_sync_acknowledges_no_entry_that_was_not_compared_with_the_leader() {
        var cluster = RaftCluster.of(3);
        cluster.holdSyncs();
        cluster.receive(1, 3, RaftCluster.append(1, 0, 0, 1));
        cluster.receive(1, 3, RaftCluster.append(1, 1, 1, 1));
        cluster.receive(2, 3, RaftCluster.append(2, 0, 0, 2));
        cluster.sync(2, new EntryId(1, 2));
        cluster.drop(message -> true);
        cluster.campaign(2);
        cluster.deliverTo(1);
        cluster.deliverTo(2);
        cluster.deliverTo(1);

        cluster.sync(1, new EntryId(2, 1));
        assertThat(cluster.inFlight(AppendAck.class))
                .extracting(message -> message.payload())
                .containsExactly(new AppendAck(3, 0, 0));

        cluster.deliverTo(2);
        cluster.sync(2, new EntryId(2, 3));
        assertThat(cluster.leaders()).containsExactly(2);
        assertThat(cluster.state(2).commitIndex()).isZero();
    }
}
