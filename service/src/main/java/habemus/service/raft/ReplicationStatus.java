package habemus.service.raft;

import habemus.protocol.NodeId;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState.Progress;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How current this node is, and as the leader how far the others are behind. Written on the event loop of the log, read
 * by any thread.
 *
 * <p>A follower is current when it has applied everything that a message of the leader says is committed. A leader is
 * current as long as a majority acknowledges its heartbeats: as long as that, no other node leads.
 */
final class ReplicationStatus {

    private final NodeId self;
    private final Map<NodeId, Long> acknowledgedNanos = new HashMap<>(); // to this leader, in its term
    private volatile long currentNanos;
    private volatile Map<NodeId, Long> lag = Map.of();

    ReplicationStatus(NodeId self, long nowNanos) {
        this.self = self;
        currentNanos = nowNanos;
    }

    /** A message of the leader was handled. */
    void onLeaderMessage(RaftMessage message, long appliedIndex, long nowNanos) {
        long committed = switch (message) {
            case RaftMessage.AppendEntries append -> append.commitIndex();
            case RaftMessage.CommitTo commit -> commit.commitIndex();
            default -> Long.MAX_VALUE;
        };
        if (appliedIndex >= committed) {
            currentNanos = nowNanos;
        }
    }

    /** A follower acknowledged a message of this leader. */
    void onAcknowledged(NodeId follower, List<NodeId> voters, long nowNanos) {
        acknowledgedNanos.put(follower, nowNanos);
        currentNanos = majorityNanos(voters, nowNanos);
    }

    /** The latest time at which a majority, this node included, had acknowledged. */
    private long majorityNanos(List<NodeId> voters, long nowNanos) {
        var times = voters.stream()
                .flatMap(voter ->
                        voter.equals(self) ? Stream.of(nowNanos) : Stream.ofNullable(acknowledgedNanos.get(voter)))
                .sorted(Collections.reverseOrder())
                .toList();
        int majority = voters.size() / 2 + 1;
        return times.size() < majority ? currentNanos : Math.max(currentNanos, times.get(majority - 1));
    }

    void onLeaderChanged() {
        acknowledgedNanos.clear();
        lag = Map.of();
    }

    /** Called regularly while this node leads. */
    void onTick(List<NodeId> voters, List<Progress> followers, long lastIndex, long nowNanos) {
        if (voters.equals(List.of(self))) {
            currentNanos = nowNanos; // no acknowledgement is needed
        }
        var behind = new TreeMap<NodeId, Long>();
        followers.forEach(follower -> behind.put(follower.node(), Math.max(0, lastIndex - follower.matchIndex())));
        lag = Collections.unmodifiableMap(behind);
    }

    /** How long ago this node was certainly current. */
    Duration staleness(long nowNanos) {
        return Duration.ofNanos(Math.max(0, nowNanos - currentNanos));
    }

    /** Entries by which the log of each follower is shorter than that of this leader; empty if another node leads. */
    Map<NodeId, Long> lag() {
        return lag;
    }
}
