package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.raft.RaftMessage;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicationStatusTest {

    private static final NodeId ONE = new NodeId(1);
    private static final NodeId TWO = new NodeId(2);
    private static final NodeId THREE = new NodeId(3);
    private static final List<NodeId> ALL = List.of(ONE, TWO, THREE);

    private final ReplicationStatus status = new ReplicationStatus(ONE, 0);

    private static RaftMessage heartbeat(long commitIndex) {
        return new RaftMessage.AppendEntries(1, new EntryId(0, 0), List.of(), commitIndex, 0);
    }

    private long stalenessAt(long now) {
        return status.staleness(now).toNanos();
    }

    @Test
    void a_follower_is_current_when_it_has_applied_what_the_leader_has_committed() {
        status.onLeaderMessage(heartbeat(7), 7, 100);
        assertThat(stalenessAt(150)).isEqualTo(50);
        status.onLeaderMessage(heartbeat(9), 8, 200);
        assertThat(stalenessAt(250)).as("it lags").isEqualTo(150);
        status.onLeaderMessage(new RaftMessage.CommitTo(1, 9), 9, 300);
        assertThat(status.staleness(300)).isEqualTo(Duration.ZERO);
    }

    @Test
    void a_leader_is_current_as_long_as_a_majority_acknowledges() {
        status.onAcknowledged(TWO, ALL, 100);
        assertThat(stalenessAt(100)).as("two of three").isZero();
        assertThat(stalenessAt(400)).as("no acknowledgement since").isEqualTo(300);
        status.onAcknowledged(THREE, ALL, 500);
        assertThat(stalenessAt(500)).isZero();
    }

    @Test
    void an_acknowledgement_to_an_earlier_leadership_does_not_count() {
        var five = List.of(ONE, TWO, THREE, new NodeId(4), new NodeId(5));
        status.onAcknowledged(TWO, five, 100);
        status.onLeaderChanged();
        status.onAcknowledged(THREE, five, 200);
        assertThat(stalenessAt(200)).isEqualTo(200);
        status.onAcknowledged(TWO, five, 300);
        assertThat(stalenessAt(300)).as("the second of two others").isEqualTo(100);
    }

    @Test
    void a_leader_alone_needs_no_acknowledgement() {
        status.onTick(List.of(ONE), List.of(), 5, 100);
        assertThat(stalenessAt(100)).isZero();
        status.onTick(ALL, List.of(), 5, 200);
        assertThat(stalenessAt(200)).isEqualTo(100);
    }
}
