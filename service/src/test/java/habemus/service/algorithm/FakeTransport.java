package habemus.service.algorithm;

import static java.util.Objects.requireNonNull;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import habemus.service.transport.PeerIncarnation;
import habemus.service.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A transport whose peers and messages are under the control of the test. */
final class FakeTransport implements Transport {

    private final Map<NodeId, List<PeerFrame>> sent = new ConcurrentHashMap<>();
    private final List<PeerIncarnation> first;
    private Listener listener;

    /** @param first peers that are present at the start */
    FakeTransport(PeerIncarnation... first) {
        this.first = List.of(first);
    }

    @Override
    public void start(Listener who) {
        listener = who;
        who.onPeersChanged(first);
    }

    @Override
    public void setPeers(List<Member> peers) {}

    @Override
    public void send(NodeId to, byte[] bytes) {
        sent.computeIfAbsent(to, node -> new ArrayList<>()).add(PeerFrame.read(bytes));
    }

    void present(PeerIncarnation... peerIncarnations) {
        requireNonNull(listener).onPeersChanged(List.of(peerIncarnations));
    }

    void arrive(PeerIncarnation from, byte[] bytes) {
        requireNonNull(listener).onMessage(from, bytes);
    }

    void arrive(PeerIncarnation from, PeerFrame peerFrame) {
        arrive(from, peerFrame.toBytes());
    }

    /** Frames sent to a node so far. */
    List<PeerFrame> sentTo(int node) {
        return List.copyOf(sent.getOrDefault(new NodeId(node), List.of()));
    }

    @Override
    public void close() {}
}
