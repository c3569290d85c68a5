package habemus.service.node;

import static java.util.Objects.requireNonNull;

import habemus.protocol.NodeId;
import habemus.service.net.Net;
import habemus.service.net.Peer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Links that a test holds in its hands. */
final class FakeNet implements Net {

    private final Map<NodeId, List<Frame>> sent = new ConcurrentHashMap<>();
    private final List<Peer> first;
    private Listener listener;

    /** @param first who is there from the beginning */
    FakeNet(Peer... first) {
        this.first = List.of(first);
    }

    @Override
    public void start(Listener who) {
        listener = who;
        who.present(first);
    }

    @Override
    public void send(NodeId to, byte[] bytes) {
        sent.computeIfAbsent(to, node -> new ArrayList<>()).add(Frame.read(bytes));
    }

    void present(Peer... peers) {
        requireNonNull(listener).present(List.of(peers));
    }

    void arrive(Peer from, byte[] bytes) {
        requireNonNull(listener).arrived(from, bytes);
    }

    void arrive(Peer from, Frame frame) {
        arrive(from, frame.toBytes());
    }

    /** What was sent to a node so far. */
    List<Frame> sentTo(int node) {
        return List.copyOf(sent.getOrDefault(new NodeId(node), List.of()));
    }

    @Override
    public void close() {}
}
