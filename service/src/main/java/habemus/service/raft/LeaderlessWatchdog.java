package habemus.service.raft;

import java.time.Duration;
import java.util.Optional;
import org.jgroups.Address;
import org.jgroups.View;
import org.jgroups.protocols.raft.ELECTION;
import org.jgroups.raft.util.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Starts an election where jgroups-raft does not. Jgroups-raft starts one only if the view of the coordinator changes.
 * If a majority is paused for seconds, the leader suspects the others and steps down. When they resume, they still
 * believe in that leader; the merged view changes nothing for them, and no node ever starts an election.
 *
 * <p>So a node without a leader, in a view with a majority, reports that to the coordinator. The coordinator starts an
 * election if it knows no leader either, or only the reporting node.
 */
final class LeaderlessWatchdog {

    private static final long TIMEOUT_NANOS =
            Duration.ofMillis(250).toNanos(); // short, since an unnecessary election does no harm

    private final CorrectedRaft raft;
    private final ELECTION election;
    private boolean isLeaderless;
    private long since;

    LeaderlessWatchdog(CorrectedRaft raft, ELECTION election) {
        this.raft = raft;
        this.election = election;
    }

    /** Called periodically by one thread. Returns the coordinator to report a missing leader to, if any. */
    Optional<Address> look(@Nullable View view) {
        long now = System.nanoTime();
        boolean wasLeaderless = isLeaderless;
        isLeaderless = view != null && raft.leader() == null && isMajority(view);
        if (view == null || !isLeaderless) {
            return Optional.empty();
        }
        if (!wasLeaderless) {
            since = now;
        }
        if (now - since < TIMEOUT_NANOS) {
            return Optional.empty();
        }
        since = now;
        if (election.runVotingThread()) {
            return Optional.empty(); // this node is the coordinator
        }
        return Optional.of(view.getCoord());
    }

    private boolean isMajority(View view) {
        var members = raft.members();
        long there = view.getMembers().stream()
                .filter(member -> members.contains(Utils.extractRaftId(member)))
                .count();
        return there >= raft.majority();
    }

    /**
     * A node reports that it has no leader. Has no effect unless this node is the coordinator, or if an election is
     * running. If the report has a later term, the leader known here is outdated: this node was paused, and nodes of a
     * later term ignore it.
     */
    void reported(Address by, long term) {
        if (term > raft.currentTerm()) {
            raft.currentTerm(term);
        }
        var leader = raft.leader();
        if (leader == null || leader.equals(by)) {
            var unused = election.runVotingThread();
        }
    }
}
