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
 * @param mode what the node may do with an empty folder
 * @param dataFolder the folder for its files, which no other node may use
 * @param proposalTimeout time after which a proposal fails
 * @param snapshotThresholdBytes size of the log at which a snapshot replaces its entries
 */
public record ReplicatedLogConfig(
        String cluster,
        List<Member> members,
        NodeId self,
        StartMode mode,
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
                StartMode.BOOTSTRAP,
                dataFolder,
                new TransportSecurity.None(),
                DEFAULT_PROPOSAL_TIMEOUT,
                DEFAULT_SNAPSHOT_THRESHOLD_BYTES);
    }

    /** @throws IllegalArgumentException if the node is not in the list of members */
    public Member selfMember() {
        return members.stream()
                .filter(member -> member.node().equals(self))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(self + " is not in the list of members: " + members));
    }

    public ReplicatedLogConfig withCluster(String name) {
        return new ReplicatedLogConfig(
                name, members, self, mode, dataFolder, security, proposalTimeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withSecurity(TransportSecurity newSecurity) {
        return new ReplicatedLogConfig(
                cluster, members, self, mode, dataFolder, newSecurity, proposalTimeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withMode(StartMode newMode) {
        return new ReplicatedLogConfig(
                cluster, members, self, newMode, dataFolder, security, proposalTimeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withProposalTimeout(Duration timeout) {
        return new ReplicatedLogConfig(
                cluster, members, self, mode, dataFolder, security, timeout, snapshotThresholdBytes);
    }

    public ReplicatedLogConfig withSnapshotThreshold(long bytes) {
        return new ReplicatedLogConfig(cluster, members, self, mode, dataFolder, security, proposalTimeout, bytes);
    }
}
