package habemus.service.net;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.SYM_ENCRYPT;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;
import org.jgroups.util.TLS;
import org.jgroups.util.TLSClientAuth;
import org.jgroups.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Links by JGroups over TCP. A node's address in the group is its number and its incarnation, so that everybody knows
 * from whom a message comes, and in which of its lives it was sent.
 */
public final class GroupNet implements Net {

    private static final Logger LOG = LoggerFactory.getLogger(GroupNet.class);

    /** After which a node is suspected. */
    public static final Duration SILENCE = Duration.ofMillis(2_500);

    private static final Duration INTERVAL = Duration.ofMillis(500); // between heartbeats
    private static final Duration DOUBT = Duration.ofMillis(500); // in which it can still say that it lives
    private static final Duration JOINING = Duration.ofSeconds(1);
    private static final int DETECTOR = 100; // above a node's port it listens for its detector

    /** Also proves that nobody has changed anything; with AES, JGroups has no cipher that does. */
    private static final String CIPHER = "ChaCha20-Poly1305";

    private static final int NONCE = 12; // bytes
    private static final int KEY_BITS = 256;
    private static final int KEY_ROUNDS = 200_000;

    private final JChannel channel;
    private final Peer self;
    private final String cluster;
    private final List<NodeId> nodes;
    private final Map<NodeId, Address> there = new ConcurrentHashMap<>();

    /** @param cluster its name: nodes of another are strangers */
    public GroupNet(String cluster, List<Member> members, Peer self, Secrecy secrecy) {
        this.cluster = cluster;
        this.self = self;
        nodes = members.stream().map(Member::node).toList();
        try {
            channel = new JChannel(stack(members, self.node(), secrecy));
            channel.getProtocolStack().getTransport().getDiagnosticsHandler().setEnabled(false);
            channel.addAddressGenerator(() -> address(self));
            channel.setName(self.toString());
            channel.setDiscardOwnMessages(true);
        } catch (Exception wrong) {
            throw new IllegalArgumentException("no network of this: " + wrong.getMessage(), wrong);
        }
    }

    private static List<Protocol> stack(List<Member> members, NodeId self, Secrecy secrecy) throws Exception {
        var here = members.stream()
                .filter(member -> member.node().equals(self))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(self + " is none of " + members))
                .address();
        var all = members.stream().map(Member::address).collect(Collectors.toList());
        var transport = new TCP();
        transport.setBindAddress(here.getAddress());
        transport.setBindPort(here.getPort());
        transport.setPortRange(0);
        transport.nonBlockingSends(true); // who stands still holds up nobody else
        transport.tcpNodelay(true); // else a short message waits up to 40 ms for the acknowledgement of the one before
        var protocols = new ArrayList<Protocol>();
        protocols.add(transport);
        protocols.add(new TCPPING().setInitialHosts(all).setPortRange(0));
        protocols.add(new MERGE3().setMinInterval(500).setMaxInterval(1_500));
        protocols.add(new FD_SOCK2()
                .setBindAddress(here.getAddress())
                .setOffset(DETECTOR)
                .setPortRange(0));
        protocols.add(new FD_ALL3().setInterval(INTERVAL.toMillis()).setTimeout(SILENCE.toMillis()));
        protocols.add(new VERIFY_SUSPECT2().setTimeout(DOUBT.toMillis()));
        switch (secrecy) {
            case Secrecy.None() -> {}
            case Secrecy.Shared(var secret) -> protocols.add(encryption(secret));
            case Secrecy.Certificates certificates -> transport.tls(tls(certificates));
        }
        protocols.add(new NAKACK2().useMcastXmit(false));
        protocols.add(new UNICAST3());
        protocols.add(new STABLE());
        protocols.add(new GMS().setJoinTimeout(JOINING.toMillis()).printLocalAddress(false));
        protocols.add(new FRAG4());
        return protocols;
    }

    /** Whoever has another key, or none, can neither read nor be heard. */
    private static SYM_ENCRYPT encryption(String secret) throws GeneralSecurityException {
        var words = new PBEKeySpec(secret.toCharArray(), "habemus".getBytes(UTF_8), KEY_ROUNDS, KEY_BITS);
        var key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(words);
        SYM_ENCRYPT encryption = new SYM_ENCRYPT().setSecretKey(new SecretKeySpec(key.getEncoded(), "ChaCha20"));
        return encryption.<SYM_ENCRYPT>symAlgorithm(CIPHER).symIvLength(NONCE);
    }

    private static TLS tls(Secrecy.Certificates certificates) {
        return new TLS()
                .enabled(true)
                .setKeystorePath(certificates.keys().toString())
                .setKeystoreType("pkcs12")
                .setKeystorePassword(certificates.password())
                .setTruststorePath(certificates.trusted().toString())
                .setTruststoreType("pkcs12")
                .setTruststorePassword(certificates.password())
                .setClientAuth(TLSClientAuth.NEED);
    }

    private static Address address(Peer peer) {
        return new UUID(peer.node().number(), peer.incarnation());
    }

    private static Peer peer(Address address) {
        var uuid = (UUID) address;
        return new Peer(new NodeId((int) uuid.getMostSignificantBits()), uuid.getLeastSignificantBits());
    }

    @Override
    public void start(Listener listener) {
        channel.setReceiver(new Receiver() {
            @Override
            public void receive(Message message) {
                if (isOurs(message.src())) {
                    listener.arrived(peer(message.src()), message.<byte[]>getObject());
                }
            }

            @Override
            public void viewAccepted(View view) {
                listener.present(accept(view));
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
    private List<Peer> accept(View view) {
        LOG.debug("{}: {}", self, view);
        Map<NodeId, Peer> present = view.getMembers().stream()
                .filter(this::isOurs)
                .map(GroupNet::peer)
                .filter(peer -> !peer.node().equals(self.node()))
                .collect(Collectors.toMap(Peer::node, peer -> peer, (a, b) -> a.isLaterThan(b) ? a : b));
        there.keySet().retainAll(present.keySet());
        present.values().forEach(peer -> there.put(peer.node(), address(peer)));
        return List.copyOf(present.values());
    }

    @Override
    public void send(NodeId to, byte[] bytes) {
        var address = there.get(to);
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
