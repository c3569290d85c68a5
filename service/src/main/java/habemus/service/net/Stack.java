package habemus.service.net;

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
public final class Stack {

    static {
        Terse.install();
    }

    private static final int JOINING = 1_000; // milliseconds, as the next
    private static final int REACH = 500; // within which a connection comes about, or not
    private static final int AGAIN = 100; // after which what was lost is said again
    private static final int DETECTOR = 100; // above a node's port it listens for its detector

    private final InetSocketAddress here;
    private final Secrecy secrecy;
    private final Pace pace;
    private final TCPPING discovery = new TCPPING();

    public Stack(List<Member> members, NodeId self, Secrecy secrecy, Pace pace) {
        here = members.stream()
                .filter(member -> member.node().equals(self))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(self + " is none of " + members))
                .address();
        this.secrecy = secrecy;
        this.pace = pace;
        discovery.setPortRange(0);
        look(members);
    }

    /** From now on the others are looked for there. */
    public void look(List<Member> members) {
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
        switch (secrecy) {
            case Secrecy.None() -> protocols.add(on(new Wire()));
            case Secrecy.Shared(var secret) -> protocols.addAll(List.of(on(new Wire()), new Envelope(secret)));
            case Secrecy.Certificates certificates -> protocols.add(on(new TlsWire().tls(tls(certificates))));
        }
        protocols.add(discovery); // above what is secret: whom nobody hears is not found, and nobody waits for it
        protocols.add(new MERGE3()
                .setMinInterval(pace.reunion().toMillis() / 3)
                .setMaxInterval(pace.reunion().toMillis()));
        FD_SOCK2 sockets = new FD_SOCK2()
                .setBindAddress(here.getAddress())
                .setOffset(DETECTOR)
                .setPortRange(0);
        sockets.setValue("connect_timeout", REACH / 2); // whoever brings a new view waits for it, and hears nobody else
        protocols.add(sockets);
        protocols.add(new FD_ALL3()
                .setInterval(pace.interval().toMillis())
                .setTimeout(pace.silence().toMillis()));
        protocols.add(new VERIFY_SUSPECT2().setTimeout(pace.doubt().toMillis()));
        protocols.add(new NAKACK2().useMcastXmit(false).setXmitInterval(AGAIN));
        protocols.add(new UNICAST3().setXmitInterval(AGAIN));
        protocols.add(new STABLE());
        protocols.add(new GMS()
                .setJoinTimeout(JOINING)
                .setViewAckCollectionTimeout(pace.agreement().toMillis())
                .setMergeTimeout(2 * pace.agreement().toMillis())
                .printLocalAddress(false));
        protocols.add(new FRAG4());
        return protocols;
    }

    private BasicTCP on(BasicTCP transport) {
        transport.setBindAddress(here.getAddress());
        transport.setBindPort(here.getPort());
        transport.setPortRange(0);
        transport.tcpNodelay(true); // else small messages wait up to 40 ms for an answer to the last
        transport.setSockConnTimeout(REACH);
        return transport;
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
}
