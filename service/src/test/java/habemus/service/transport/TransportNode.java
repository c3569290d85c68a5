package habemus.service.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import habemus.protocol.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A node with a {@link NettyTransport} that records what its listener gets. */
final class TransportNode implements Transport.Listener, AutoCloseable {

    private static final List<NodeId> MEMBERS = List.of(new NodeId(1), new NodeId(2), new NodeId(3));

    final NettyEventLoop loop;
    final NettyTransport transport;
    final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
    final BlockingQueue<List<PeerIncarnation>> views = new LinkedBlockingQueue<>();
    final BlockingQueue<String> rejections = new LinkedBlockingQueue<>();
    final BlockingQueue<NodeId> refusals = new LinkedBlockingQueue<>();

    private TransportNode(Member member, long incarnation, TransportSecurity security, String cluster) {
        loop = new NettyEventLoop("test-" + member.node());
        var handshake = new ClusterHandshake(cluster, new PeerIncarnation(member.node(), incarnation), MEMBERS);
        transport = new NettyTransport(member, security, handshake, loop);
    }

    static TransportNode start(
            List<Member> members, int node, long incarnation, TransportSecurity security, String cluster) {
        var started = new TransportNode(members.get(node - 1), incarnation, security, cluster);
        started.transport.start(started);
        started.transport.setPeers(members);
        return started;
    }

    static PeerIncarnation peer(int node, long incarnation) {
        return new PeerIncarnation(new NodeId(node), incarnation);
    }

    @Override
    public void onMessage(PeerIncarnation from, byte[] bytes) {
        arrived.add(from + " " + (bytes.length <= 100 ? new String(bytes, UTF_8) : bytes.length + " bytes"));
    }

    @Override
    public void onPeersChanged(List<PeerIncarnation> peers) {
        views.add(peers);
    }

    @Override
    public void onRejected(NodeId peer, String reason) {
        rejections.add(peer + ": " + reason);
    }

    @Override
    public void onRefused(NodeId peer) {
        refusals.add(peer);
    }

    void send(int to, String message) {
        transport.send(new NodeId(to), message.getBytes(UTF_8));
    }

    /** Waits until exactly these peers are connected; false after a timeout. */
    boolean sees(PeerIncarnation... peers) throws InterruptedException {
        for (var view = views.poll(20, SECONDS); view != null; view = views.poll(20, SECONDS)) {
            if (view.equals(List.of(peers))) {
                return true;
            }
        }
        return false;
    }

    /** The next messages; fewer after a timeout. */
    List<String> take(int messages) throws InterruptedException {
        var taken = new ArrayList<String>();
        for (int i = 0; i < messages; i++) {
            var message = arrived.poll(20, SECONDS);
            if (message == null) {
                break;
            }
            taken.add(message);
        }
        return taken;
    }

    @Override
    public void close() {
        transport.close();
        loop.close();
    }
}
