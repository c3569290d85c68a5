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
 * Links by JGroups over TCP. A node's address in the group is its number and its incarnation, so that everybody knows
 * from whom a message comes, and in which of its lives it was sent.
 */
public final class JGroupsTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger(JGroupsTransport.class);

    /** After which a node is suspected. */
    public static final Duration HEARTBEAT_TIMEOUT = FailureDetectionTimeouts.CONSERVATIVE.heartbeatTimeout();

    private final JChannel channel;
    private final PeerIncarnation self;
    private final String cluster;
    private final List<NodeId> nodes;
    private final Map<NodeId, Address> addresses = new ConcurrentHashMap<>();

    /** @param cluster its name: nodes of another are strangers */
    public JGroupsTransport(
            String cluster, List<Member> members, PeerIncarnation self, TransportSecurity transportSecurity) {
        this.cluster = cluster;
        this.self = self;
        nodes = members.stream().map(Member::node).toList();
        try {
            channel = new JChannel(
                    new JGroupsStack(members, self.node(), transportSecurity, FailureDetectionTimeouts.CONSERVATIVE)
                            .protocols());
            channel.getProtocolStack().getTransport().getDiagnosticsHandler().setEnabled(false);
            channel.addAddressGenerator(() -> address(self));
            channel.setName(self.toString());
            channel.setDiscardOwnMessages(true);
        } catch (Exception wrong) {
            throw new IllegalArgumentException("no network of this: " + wrong.getMessage(), wrong);
        }
    }

    private static Address address(PeerIncarnation peerIncarnation) {
        return new UUID(peerIncarnation.node().number(), peerIncarnation.incarnation());
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
            throw new IllegalStateException("cannot listen: " + failed.getMessage(), failed);
        }
    }

    /** Somebody else's address has no number of ours in it. */
    private boolean isOurs(Address address) {
        return address instanceof UUID uuid
                && nodes.stream().anyMatch(node -> node.number() == uuid.getMostSignificantBits());
    }

    /** Of two lives of a node the later one is meant. */
    private List<PeerIncarnation> accept(View view) {
        LOG.debug("{}: {}", self, view);
        Map<NodeId, PeerIncarnation> present = view.getMembers().stream()
                .filter(this::isOurs)
                .map(JGroupsTransport::peer)
                .filter(peerIncarnation -> !peerIncarnation.node().equals(self.node()))
                .collect(Collectors.toMap(
                        PeerIncarnation::node, peerIncarnation -> peerIncarnation, (a, b) -> a.isLaterThan(b) ? a : b));
        addresses.keySet().retainAll(present.keySet());
        present.values().forEach(peerIncarnation -> addresses.put(peerIncarnation.node(), address(peerIncarnation)));
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
            LOG.warn("{}: a message to {} is lost: {}", self, to, failed.toString());
        }
    }

    @Override
    public void close() {
        channel.close();
    }
}
