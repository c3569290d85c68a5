package habemus.service.session;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import habemus.service.net.Secrecy;
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
 * @param data the folder for what must not be forgotten; without it a lone node keeps nothing
 * @param secrecy between nodes
 * @param door where clients come in
 * @param http where everybody else does
 * @param tls of both doors
 * @param policy the file that says who may do what, see {@link Access}; without it everybody may do everything
 * @param room bytes of the log after which a snapshot is put in their place
 */
public record FencedConfig(
        String cluster,
        List<Member> members,
        NodeId me,
        boolean joining,
        Optional<Path> data,
        Secrecy secrecy,
        InetSocketAddress door,
        InetSocketAddress http,
        Optional<Secrecy.Certificates> tls,
        Optional<Path> policy,
        Limits limits,
        long room) {

    /** Above a node's port it listens for clients by HTTP. */
    public static final int HTTP = 200;

    /** Above a node's port it listens for clients. */
    public static final int DOOR = 300;

    private static final long ROOM = 32L << 20;

    /** @throws IllegalArgumentException if {@code me} is none of the members, or a cluster has no disk */
    public FencedConfig {
        members = List.copyOf(members);
        if (members.stream().noneMatch(member -> member.node().equals(me))) {
            throw new IllegalArgumentException(me + " is none of " + members);
        }
        if (data.isEmpty() && members.size() > 1) {
            throw new IllegalArgumentException("a node of several needs a folder for its data");
        }
    }

    /** With its doors where they usually are, without secrecy and policy. */
    public static FencedConfig of(List<Member> members, NodeId me, Optional<Path> data) {
        var here = members.stream()
                .filter(member -> member.node().equals(me))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(me + " is none of " + members))
                .address();
        return new FencedConfig(
                "habemus",
                members,
                me,
                false,
                data,
                new Secrecy.None(),
                above(here, DOOR),
                above(here, HTTP),
                Optional.empty(),
                Optional.empty(),
                Limits.STANDARD,
                ROOM);
    }

    private static InetSocketAddress above(InetSocketAddress address, int ports) {
        return new InetSocketAddress(address.getAddress(), address.getPort() + ports);
    }

    public FencedConfig named(String name) {
        return new FencedConfig(name, members, me, joining, data, secrecy, door, http, tls, policy, limits, room);
    }

    public FencedConfig joiningOthers() {
        return new FencedConfig(cluster, members, me, true, data, secrecy, door, http, tls, policy, limits, room);
    }

    public FencedConfig secretBy(Secrecy next) {
        return new FencedConfig(cluster, members, me, joining, data, next, door, http, tls, policy, limits, room);
    }

    public FencedConfig at(InetSocketAddress clients, InetSocketAddress everybodyElse) {
        return new FencedConfig(
                cluster, members, me, joining, data, secrecy, clients, everybodyElse, tls, policy, limits, room);
    }

    public FencedConfig securedBy(Secrecy.Certificates files) {
        return new FencedConfig(
                cluster, members, me, joining, data, secrecy, door, http, Optional.of(files), policy, limits, room);
    }

    public FencedConfig allowing(Path file) {
        return new FencedConfig(
                cluster, members, me, joining, data, secrecy, door, http, tls, Optional.of(file), limits, room);
    }

    public FencedConfig within(Limits next) {
        return new FencedConfig(cluster, members, me, joining, data, secrecy, door, http, tls, policy, next, room);
    }

    public FencedConfig compactingAfter(long bytes) {
        return new FencedConfig(cluster, members, me, joining, data, secrecy, door, http, tls, policy, limits, bytes);
    }
}
