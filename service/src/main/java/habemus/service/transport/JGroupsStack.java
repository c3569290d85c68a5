package habemus.service.transport;

import habemus.protocol.NodeId;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jgroups.protocols.BasicTCP;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FD_SOCK2;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;
import org.jgroups.util.TLS;
import org.jgroups.util.TLSClientAuth;

/** How nodes reach each other: what is said is kept secret in one place, and nothing listens unless told to. */
public final class JGroupsStack {

    static {
        JGroupsSlf4jLog.install();
    }

    private static final int JOIN_TIMEOUT_MILLIS = 1_000; // milliseconds, as the next
    private static final int CONNECT_TIMEOUT_MILLIS = 500; // within which a connection comes about, or not
    private static final int RETRANSMIT_INTERVAL_MILLIS = 100; // after which what was lost is said again
    private static final int DETECTOR_PORT_OFFSET = 100; // above a node's port it listens for its detector

    private final InetSocketAddress address;
    private final TransportSecurity transportSecurity;
    private final FailureDetectionTimeouts failureDetectionTimeouts;
    private final TCPPING discovery = new TCPPING();

    public JGroupsStack(
            List<Member> members,
            NodeId self,
            TransportSecurity transportSecurity,
            FailureDetectionTimeouts failureDetectionTimeouts) {
        address = members.stream()
                .filter(member -> member.node().equals(self))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(self + " is none of " + members))
                .address();
        this.transportSecurity = transportSecurity;
        this.failureDetectionTimeouts = failureDetectionTimeouts;
        discovery.setPortRange(0);
        setDiscoveryTargets(members);
    }

    /** From now on the others are looked for there. */
    public void setDiscoveryTargets(List<Member> members) {
        discovery.setInitialHosts(members.stream().map(Member::address).collect(Collectors.toList()));
    }

    /**
     * From the wire up.
     *
     * @throws GeneralSecurityException if this Java lacks a cipher
     */
    @SuppressWarnings("exports") // to a room of this module
    public List<Protocol> protocols() throws GeneralSecurityException {
        var protocols = new ArrayList<Protocol>();
        switch (transportSecurity) {
            case TransportSecurity.None() -> protocols.add(on(new NonBlockingTcpTransport()));
            case TransportSecurity.SharedSecret(var secret) ->
                protocols.addAll(List.of(on(new NonBlockingTcpTransport()), new ClusterEncryption(secret)));
            case TransportSecurity.Certificates certificates ->
                protocols.add(on(new TlsTcpTransport().tls(tls(certificates))));
        }
        protocols.add(discovery); // above what is secret: whom nobody hears is not found, and nobody waits for it
        protocols.add(new MERGE3()
                .setMinInterval(failureDetectionTimeouts.mergeInterval().toMillis() / 3)
                .setMaxInterval(failureDetectionTimeouts.mergeInterval().toMillis()));
        FD_SOCK2 sockets = new FD_SOCK2()
                .setBindAddress(address.getAddress())
                .setOffset(DETECTOR_PORT_OFFSET)
                .setPortRange(0);
        sockets.setValue(
                "connect_timeout",
                CONNECT_TIMEOUT_MILLIS / 2); // whoever brings a new view waits for it, and hears nobody else
        protocols.add(sockets);
        protocols.add(new FD_ALL3()
                .setInterval(failureDetectionTimeouts.heartbeatInterval().toMillis())
                .setTimeout(failureDetectionTimeouts.heartbeatTimeout().toMillis()));
        protocols.add(new VERIFY_SUSPECT2()
                .setTimeout(failureDetectionTimeouts.verificationTimeout().toMillis()));
        protocols.add(new NAKACK2().useMcastXmit(false).setXmitInterval(RETRANSMIT_INTERVAL_MILLIS));
        protocols.add(new UNICAST3().setXmitInterval(RETRANSMIT_INTERVAL_MILLIS));
        protocols.add(new STABLE());
        protocols.add(new GMS()
                .setJoinTimeout(JOIN_TIMEOUT_MILLIS)
                .setViewAckCollectionTimeout(
                        failureDetectionTimeouts.viewAgreementTimeout().toMillis())
                .setMergeTimeout(
                        2 * failureDetectionTimeouts.viewAgreementTimeout().toMillis())
                .printLocalAddress(false));
        protocols.add(new FRAG4());
        return protocols;
    }

    private BasicTCP on(BasicTCP transport) {
        transport.setBindAddress(address.getAddress());
        transport.setBindPort(address.getPort());
        transport.setPortRange(0);
        transport.tcpNodelay(true); // else small messages wait up to 40 ms for an answer to the last
        transport.setSockConnTimeout(CONNECT_TIMEOUT_MILLIS);
        return transport;
    }

    private static TLS tls(TransportSecurity.Certificates certificates) {
        return new TLS()
                .enabled(true)
                .setKeystorePath(certificates.keystore().toString())
                .setKeystoreType("pkcs12")
                .setKeystorePassword(certificates.password())
                .setTruststorePath(certificates.truststore().toString())
                .setTruststoreType("pkcs12")
                .setTruststorePassword(certificates.password())
                .setClientAuth(TLSClientAuth.NEED);
    }
}
