package habemus.service.transport;

import habemus.codec.Codec;
import habemus.protocol.NodeId;
import java.nio.ByteBuffer;
import java.util.List;

/** Accepts the members of the cluster with the same name. */
public final class ClusterHandshake implements PeerHandshake {

    private static final Codec<Hello> CODEC = Codec.of(Hello.class);

    private final String cluster;
    private final PeerIncarnation self;
    private final List<NodeId> members;

    private record Hello(String cluster, PeerIncarnation sender) {}

    public ClusterHandshake(String cluster, PeerIncarnation self, List<NodeId> members) {
        this.cluster = cluster;
        this.self = self;
        this.members = List.copyOf(members);
    }

    @Override
    public byte[] hello() {
        return CODEC.write(new Hello(cluster, self));
    }

    @Override
    public PeerIncarnation accept(byte[] bytes) {
        var hello = CODEC.read(ByteBuffer.wrap(bytes));
        var sender = hello.sender;
        if (!hello.cluster.equals(cluster)) {
            throw new PeerRejectedException(
                    sender.node(), "the cluster must be '" + cluster + "', was '" + hello.cluster + "'");
        }
        if (!members.contains(sender.node())) {
            throw new PeerRejectedException(
                    sender.node(), "the node must be one of the members " + members + ", was " + sender.node());
        }
        return sender;
    }
}
