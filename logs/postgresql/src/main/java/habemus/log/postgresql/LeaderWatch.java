package habemus.log.postgresql;

import habemus.log.postgresql.LogTables.NodeRow;
import habemus.log.postgresql.LogTables.Observation;
import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Observes the beats of all nodes on the monotonic clock of this node. A node that has not counted its beat for a
 * while, although the database answered all the time, has failed. The clocks of other machines do not matter.
 */
final class LeaderWatch {

    private record Beat(NodeRow row, long sinceNanos) {

        boolean isSame(NodeRow other) {
            return row.life() == other.life() && row.beat() == other.beat();
        }
    }

    private final Duration patience;
    private final Map<NodeId, Beat> beats = new HashMap<>();

    /** @param patience after which a node without a beat has failed */
    LeaderWatch(Duration patience) {
        this.patience = patience;
    }

    void onObserved(Observation observation, long nowNanos) {
        var nodes = observation.nodes();
        beats.keySet()
                .removeIf(node ->
                        nodes.stream().noneMatch(row -> row.member().node().equals(node)));
        for (var row : nodes) {
            beats.compute(
                    row.member().node(),
                    (node, last) -> last != null && last.isSame(row) ? last : new Beat(row, nowNanos));
        }
    }

    /** The database did not answer, perhaps to no node. The observation of all beats starts again. */
    void onUnreachable() {
        beats.clear();
    }

    /** Whether the leader has resigned, failed, or started again. */
    boolean isVacant(Observation observation, long nowNanos) {
        var leadership = observation.leadership();
        return leadership.isVacant()
                || Optional.ofNullable(beats.get(leadership.leader()))
                        .filter(beat -> beat.row.life() == leadership.leaderLife())
                        .isEmpty()
                || !isBeating(leadership.leader(), nowNanos);
    }

    boolean isBeating(NodeId node, long nowNanos) {
        var beat = beats.get(node);
        return beat != null && nowNanos - beat.sinceNanos < patience.toNanos();
    }
}
