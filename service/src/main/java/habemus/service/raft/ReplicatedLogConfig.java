package habemus.service.raft;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The configuration of one node of a replicated log.
 *
 * @param cluster the name of the cluster; nodes with another name cannot join
 * @param members the initial members of a new log; for an existing log only addresses for discovery
 * @param self one of the members, or a node that joins an existing log
 * @param joining whether the node joins an existing log
 * @param dataFolder the folder for its files, which no other node may use
 * @param proposalTimeout time after which a proposal fails
 * @param snapshotThresholdBytes size of the log at which a snapshot replaces its entries
 */
public record ReplicatedLogConfig(
        String cluster,
        List<Member> members,
        NodeId self,
        boolean joining,
        Path dataFolder,
        TransportSecurity security,
        Duration proposalTimeout,
        long snapshotThresholdBytes) {

    private static final Duration DEFAULT_PROPOSAL_TIMEOUT = Duration.ofSeconds(10);
    private static final long DEFAULT_SNAPSHOT_THRESHOLD_BYTES = 32L << 20;

    public static ReplicatedLogConfig of(List<Member> members, NodeId self, Path dataFolder) {
        return new ReplicatedLogConfig(
                "habemus",
                members,
                self,
                false,
                dataFolder,
                new TransportSecurity.None(),
                DEFAULT_PROPOSAL_TIMEOUT,
                DEFAULT_SNAPSHOT_THRESHOLD_BYTES);
    }

    public ReplicatedLogConfig withCluster(String name) {
        return new ReplicatedLogConfig(
                name, members, self, joining, dataFolder, security, proposalTimeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withSecurity(TransportSecurity newSecurity) {
        return new ReplicatedLogConfig(
                cluster, members, self, joining, dataFolder, newSecurity, proposalTimeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withJoining() {
        return new ReplicatedLogConfig(
                cluster, members, self, true, dataFolder, security, proposalTimeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withProposalTimeout(Duration timeout) {
        return new ReplicatedLogConfig(
                cluster, members, self, joining, dataFolder, security, timeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withSnapshotThreshold(long bytes) {
        return new ReplicatedLogConfig(cluster, members, self, joining, dataFolder, security, proposalTimeout, bytes);
    }
}
