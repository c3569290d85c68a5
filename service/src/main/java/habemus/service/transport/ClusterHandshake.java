package habemus.service.transport;

import habemus.codec.Codec;
import habemus.protocol.NodeId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** Accepts nodes of the cluster with the same name: its members, and those that ask to join. */
public final class ClusterHandshake implements PeerHandshake {

    private static final Codec<Hello> CODEC = Codec.of(Hello.class);

    private final String cluster;
    private final PeerIncarnation self;
    private final Admission admission;

    /** Decides which nodes of the cluster may connect. Called by the thread of the transport. */
    public interface Admission {

        /** The number of the latest view that this node knows. */
        long view();

        /** The address of this node, if it asks to join; else empty. */
        String joinAddress();

        /**
         * Why the peer may not connect; empty if it may.
         *
         * @param view the latest that the peer knows
         * @param joinAddress of a peer that asks to join; else empty
         */
        Optional<String> refuse(NodeId peer, long view, String joinAddress);
    }

    private record Hello(String cluster, PeerIncarnation sender, long view, String joinAddress) {}

    /** A cluster whose members do not change. */
    public ClusterHandshake(String cluster, PeerIncarnation self, List<NodeId> members) {
        this(cluster, self, new FixedMembers(List.copyOf(members)));
    }

    public ClusterHandshake(String cluster, PeerIncarnation self, Admission admission) {
        this.cluster = cluster;
        this.self = self;
        this.admission = admission;
    }

    private record FixedMembers(List<NodeId> members) implements Admission {
        @Override
        public long view() {
            return 0;
        }

        @Override
        public String joinAddress() {
            return "";
        }

        @Override
        public Optional<String> refuse(NodeId peer, long view, String joinAddress) {
            return members.contains(peer)
                    ? Optional.empty()
                    : Optional.of("the node must be one of the members " + members + ", was " + peer);
        }
    }

    @Override
    public byte[] hello() {
        return CODEC.write(new Hello(cluster, self, admission.view(), admission.joinAddress()));
    }

    @Override
    public PeerIncarnation accept(byte[] bytes) {
        var hello = CODEC.read(ByteBuffer.wrap(bytes));
        var sender = hello.sender;
        if (!hello.cluster.equals(cluster)) {
            throw new PeerRejectedException(
                    sender.node(), "the cluster must be '" + cluster + "', was '" + hello.cluster + "'");
        }
        admission.refuse(sender.node(), hello.view, hello.joinAddress).ifPresent(reason -> {
            throw new PeerRejectedException(sender.node(), reason);
        });
        return sender;
    }
}
