package habemus.service.server;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import habemus.service.transport.TransportSecurity;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What a node of the lock service is told when it starts.
 *
 * @param cluster its name: nodes of another are strangers
 * @param members of a service that begins; one that was begun knows its own
 * @param joining whether the others began it, and this node was added
 * @param dataFolder the folder for what must not be forgotten; without it a lone node keeps nothing
 * @param transportSecurity between nodes
 * @param clientAddress where clients come in
 * @param httpAddress where everybody else does
 * @param tls of both doors
 * @param policyFile the file that says who may do what, see {@link AccessPolicy}; without it everybody may do everything
 * @param compactionBytes bytes of the log after which a snapshot is put in their place
 */
public record LockServerConfig(
        String cluster,
        List<Member> members,
        NodeId self,
        boolean joining,
        Optional<Path> dataFolder,
        TransportSecurity transportSecurity,
        InetSocketAddress clientAddress,
        InetSocketAddress httpAddress,
        Optional<TransportSecurity.Certificates> tls,
        Optional<Path> policyFile,
        ServerLimits serverLimits,
        long compactionBytes) {

    /** Above a node's port it listens for clients by HTTP. */
    public static final int HTTP_PORT_OFFSET = 200;

    /** Above a node's port it listens for clients. */
    public static final int CLIENT_PORT_OFFSET = 300;

    private static final long DEFAULT_COMPACTION_BYTES = 32L << 20;

    /** @throws IllegalArgumentException if {@code me} is none of the members, or a cluster has no disk */
    public LockServerConfig {
        members = List.copyOf(members);
        if (members.stream().noneMatch(member -> member.node().equals(self))) {
            throw new IllegalArgumentException(self + " is none of " + members);
        }
        if (dataFolder.isEmpty() && members.size() > 1) {
            throw new IllegalArgumentException("a node of several needs a folder for its data");
        }
    }

    /** With its doors where they usually are, without secrecy and policy. */
    public static LockServerConfig of(List<Member> members, NodeId me, Optional<Path> data) {
        var here = members.stream()
                .filter(member -> member.node().equals(me))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(me + " is none of " + members))
                .address();
        return new LockServerConfig(
                "habemus",
                members,
                me,
                false,
                data,
                new TransportSecurity.None(),
                withPortOffset(here, CLIENT_PORT_OFFSET),
                withPortOffset(here, HTTP_PORT_OFFSET),
                Optional.empty(),
                Optional.empty(),
                ServerLimits.DEFAULT,
                DEFAULT_COMPACTION_BYTES);
    }

    private static InetSocketAddress withPortOffset(InetSocketAddress address, int ports) {
        return new InetSocketAddress(address.getAddress(), address.getPort() + ports);
    }

    public LockServerConfig withCluster(String name) {
        return new LockServerConfig(
                name,
                members,
                self,
                joining,
                dataFolder,
                transportSecurity,
                clientAddress,
                httpAddress,
                tls,
                policyFile,
                serverLimits,
                compactionBytes);
    }

    public LockServerConfig withJoining() {
        return new LockServerConfig(
                cluster,
                members,
                self,
                true,
                dataFolder,
                transportSecurity,
                clientAddress,
                httpAddress,
                tls,
                policyFile,
                serverLimits,
                compactionBytes);
    }

    public LockServerConfig withTransportSecurity(TransportSecurity next) {
        return new LockServerConfig(
                cluster,
                members,
                self,
                joining,
                dataFolder,
                next,
                clientAddress,
                httpAddress,
                tls,
                policyFile,
                serverLimits,
                compactionBytes);
    }

    public LockServerConfig withAddresses(InetSocketAddress clients, InetSocketAddress everybodyElse) {
        return new LockServerConfig(
                cluster,
                members,
                self,
                joining,
                dataFolder,
                transportSecurity,
                clients,
                everybodyElse,
                tls,
                policyFile,
                serverLimits,
                compactionBytes);
    }

    public LockServerConfig withTls(TransportSecurity.Certificates files) {
        return new LockServerConfig(
                cluster,
                members,
                self,
                joining,
                dataFolder,
                transportSecurity,
                clientAddress,
                httpAddress,
                Optional.of(files),
                policyFile,
                serverLimits,
                compactionBytes);
    }

    public LockServerConfig withPolicyFile(Path file) {
        return new LockServerConfig(
                cluster,
                members,
                self,
                joining,
                dataFolder,
                transportSecurity,
                clientAddress,
                httpAddress,
                tls,
                Optional.of(file),
                serverLimits,
                compactionBytes);
    }

    public LockServerConfig withLimits(ServerLimits next) {
        return new LockServerConfig(
                cluster,
                members,
                self,
                joining,
                dataFolder,
                transportSecurity,
                clientAddress,
                httpAddress,
                tls,
                policyFile,
                next,
                compactionBytes);
    }

    public LockServerConfig withCompactionBytes(long bytes) {
        return new LockServerConfig(
                cluster,
                members,
                self,
                joining,
                dataFolder,
                transportSecurity,
                clientAddress,
                httpAddress,
                tls,
                policyFile,
                serverLimits,
                bytes);
    }
}
