package habemus.service.transport;

import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Transport over TCP by JGroups. A node's JGroups address is its number and its incarnation, so that a receiver knows
 * which incarnation of which node sent a message.
 */
public final class JGroupsTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger(JGroupsTransport.class);

    /** Time without heartbeats after which a node is suspected. */
    public static final Duration HEARTBEAT_TIMEOUT = FailureDetectionTimeouts.CONSERVATIVE.heartbeatTimeout();

    private final JChannel channel;
    private final PeerIncarnation self;
    private final String cluster;
    private final List<NodeId> nodes;
    private final Map<NodeId, Address> addresses = new ConcurrentHashMap<>();

    /** @param cluster the name of the cluster; messages of other clusters are dropped */
    public JGroupsTransport(String cluster, List<Member> members, PeerIncarnation self, TransportSecurity security) {
        this.cluster = cluster;
        this.self = self;
        nodes = members.stream().map(Member::node).toList();
        try {
            channel =
                    new JChannel(new JGroupsStack(members, self.node(), security, FailureDetectionTimeouts.CONSERVATIVE)
                            .protocols());
            channel.getProtocolStack().getTransport().getDiagnosticsHandler().setEnabled(false);
            channel.addAddressGenerator(() -> address(self));
            channel.setName(self.toString());
            channel.setDiscardOwnMessages(true);
        } catch (Exception invalid) {
            throw new IllegalArgumentException("cannot configure the transport: " + invalid.getMessage(), invalid);
        }
    }

    private static Address address(PeerIncarnation peer) {
        return new UUID(peer.node().number(), peer.incarnation());
    }

    private static PeerIncarnation peer(Address address) {
        var uuid = (UUID) address;
        return new PeerIncarnation(new NodeId((int) uuid.getMostSignificantBits()), uuid.getLeastSignificantBits());
    }

    @Override
    public void start(Listener listener) {
        channel.setReceiver(new Receiver() {
            @Override
            public void receive(Message message) {
                if (isOurs(message.src())) {
                    listener.onMessage(peer(message.src()), message.<byte[]>getObject());
                }
            }

            @Override
            public void viewAccepted(View view) {
                listener.onPeersChanged(accept(view));
            }
        });
        try {
            channel.connect(cluster);
        } catch (Exception failed) {
            throw new IllegalStateException("cannot join cluster " + cluster + ": " + failed.getMessage(), failed);
        }
    }

    /** Does nothing: the members are fixed. */
    @Override
    public void setPeers(List<Member> peers) {}

    /** Whether the address is that of a member of this cluster. */
    private boolean isOurs(Address address) {
        return address instanceof UUID uuid
                && nodes.stream().anyMatch(node -> node.number() == uuid.getMostSignificantBits());
    }

    /** The peers of a view. If it has two incarnations of a node, the later one counts. */
    private List<PeerIncarnation> accept(View view) {
        LOG.debug("view changed node={} view={}", self, view);
        Map<NodeId, PeerIncarnation> present = view.getMembers().stream()
                .filter(this::isOurs)
                .map(JGroupsTransport::peer)
                .filter(peer -> !peer.node().equals(self.node()))
                .collect(Collectors.toMap(PeerIncarnation::node, peer -> peer, (a, b) -> a.isLaterThan(b) ? a : b));
        addresses.keySet().retainAll(present.keySet());
        present.values().forEach(peer -> addresses.put(peer.node(), address(peer)));
        return List.copyOf(present.values());
    }

    @Override
    public void send(NodeId to, byte[] bytes) {
        var address = addresses.get(to);
        if (address == null) {
            return;
        }
        try {
            channel.send(new BytesMessage(address, bytes));
        } catch (Exception failed) {
            LOG.debug("message dropped node={} receiver={} cause={}", self, to, failed.toString());
        }
    }

    @Override
    public void close() {
        channel.close();
    }
}
