package habemus.service.raft;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * One node of a log.
 *
 * @param cluster its name: nodes of another are strangers
 * @param members of a log that begins; one that was begun knows its own, and looks for them there too
 * @param self one of them, or one that was or will be added to a log that was begun by the others
 * @param joining whether the others began it
 * @param dataFolder where it keeps its files, alone
 * @param proposalTimeout after which a proposal is given up
 * @param snapshotThresholdBytes bytes of entries after which a snapshot is put in their place
 */
public record ReplicatedLogConfig(
        String cluster,
        List<Member> members,
        NodeId self,
        boolean joining,
        Path dataFolder,
        TransportSecurity transportSecurity,
        Duration proposalTimeout,
        long snapshotThresholdBytes) {

    private static final Duration DEFAULT_PROPOSAL_TIMEOUT = Duration.ofSeconds(10);
    private static final long DEFAULT_SNAPSHOT_THRESHOLD_BYTES = 32L << 20;

    public static ReplicatedLogConfig of(List<Member> members, NodeId self, Path data) {
        return new ReplicatedLogConfig(
                "habemus",
                members,
                self,
                false,
                data,
                new TransportSecurity.None(),
                DEFAULT_PROPOSAL_TIMEOUT,
                DEFAULT_SNAPSHOT_THRESHOLD_BYTES);
    }

    public ReplicatedLogConfig withCluster(String name) {
        return new ReplicatedLogConfig(
                name, members, self, joining, dataFolder, transportSecurity, proposalTimeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withSecurity(TransportSecurity how) {
        return new ReplicatedLogConfig(
                cluster, members, self, joining, dataFolder, how, proposalTimeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withJoining() {
        return new ReplicatedLogConfig(
                cluster, members, self, true, dataFolder, transportSecurity, proposalTimeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withProposalTimeout(Duration time) {
        return new ReplicatedLogConfig(
                cluster, members, self, joining, dataFolder, transportSecurity, time, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withSnapshotThreshold(long bytes) {
        return new ReplicatedLogConfig(
                cluster, members, self, joining, dataFolder, transportSecurity, proposalTimeout, bytes);
    }
}
