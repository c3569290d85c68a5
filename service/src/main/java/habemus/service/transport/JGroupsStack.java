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

/** The JGroups protocol stack of a node: transport, encryption, discovery, failure detection, membership. */
public final class JGroupsStack {

    static {
        JGroupsSlf4jLog.install();
    }

    private static final int JOIN_TIMEOUT_MILLIS = 1_000;
    private static final int CONNECT_TIMEOUT_MILLIS = 500;
    private static final int RETRANSMIT_INTERVAL_MILLIS = 100;
    private static final int DETECTOR_PORT_OFFSET = 100; // FD_SOCK2 listens at the node port plus this

    private final InetSocketAddress address;
    private final TransportSecurity security;
    private final FailureDetectionTimeouts timeouts;
    private final TCPPING discovery = new TCPPING();

    public JGroupsStack(
            List<Member> members, NodeId self, TransportSecurity security, FailureDetectionTimeouts timeouts) {
        address = members.stream()
                .filter(member -> member.node().equals(self))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("node is not a member: " + self + " (members: " + members + ")"))
                .address();
        this.security = security;
        this.timeouts = timeouts;
        discovery.setPortRange(0);
        setDiscoveryTargets(members);
    }

    /** Sets the addresses that discovery contacts. */
    public void setDiscoveryTargets(List<Member> members) {
        discovery.setInitialHosts(members.stream().map(Member::address).collect(Collectors.toList()));
    }

    /**
     * The protocols, bottom up.
     *
     * @throws GeneralSecurityException if this JVM lacks the cipher
     */
    @SuppressWarnings("exports") // used only inside this module
    public List<Protocol> protocols() throws GeneralSecurityException {
        var protocols = new ArrayList<Protocol>();
        switch (security) {
            case TransportSecurity.None() -> protocols.add(on(new NonBlockingTcpTransport()));
            case TransportSecurity.SharedSecret(var secret) ->
                protocols.addAll(List.of(on(new NonBlockingTcpTransport()), new ClusterEncryption(secret)));
            case TransportSecurity.Certificates certificates ->
                protocols.add(on(new TlsTcpTransport().tls(tls(certificates))));
        }
        protocols.add(discovery); // above the encryption: a node without the secret is not discovered
        protocols.add(new MERGE3()
                .setMinInterval(timeouts.mergeInterval().toMillis() / 3)
                .setMaxInterval(timeouts.mergeInterval().toMillis()));
        FD_SOCK2 sockets = new FD_SOCK2()
                .setBindAddress(address.getAddress())
                .setOffset(DETECTOR_PORT_OFFSET)
                .setPortRange(0);
        sockets.setValue(
                "connect_timeout",
                CONNECT_TIMEOUT_MILLIS / 2); // the thread that installs a view waits for this connection
        protocols.add(sockets);
        protocols.add(new FD_ALL3()
                .setInterval(timeouts.heartbeatInterval().toMillis())
                .setTimeout(timeouts.heartbeatTimeout().toMillis()));
        protocols.add(
                new VERIFY_SUSPECT2().setTimeout(timeouts.verificationTimeout().toMillis()));
        protocols.add(new NAKACK2().useMcastXmit(false).setXmitInterval(RETRANSMIT_INTERVAL_MILLIS));
        protocols.add(new UNICAST3().setXmitInterval(RETRANSMIT_INTERVAL_MILLIS));
        protocols.add(new STABLE());
        protocols.add(new GMS()
                .setJoinTimeout(JOIN_TIMEOUT_MILLIS)
                .setViewAckCollectionTimeout(timeouts.viewAgreementTimeout().toMillis())
                .setMergeTimeout(2 * timeouts.viewAgreementTimeout().toMillis())
                .printLocalAddress(false));
        protocols.add(new FRAG4());
        return protocols;
    }

    private BasicTCP on(BasicTCP transport) {
        transport.setBindAddress(address.getAddress());
        transport.setBindPort(address.getPort());
        transport.setPortRange(0);
        transport.tcpNodelay(true); // otherwise Nagle delays small messages by up to 40 ms
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
