package habemus.service.transport;

import static java.util.Objects.requireNonNull;

import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A transport beneath a {@link ReliableTransport}, whose peers and messages are under the control of the test. */
public final class FakeTransport implements Transport {

    private final Map<NodeId, List<byte[]>> sent = new HashMap<>();
    private final Map<PeerIncarnation, Long> lastNumbers = new HashMap<>();
    private final List<PeerIncarnation> first;
    private Listener listener;

    /** @param first peers that are connected at the start */
    public FakeTransport(PeerIncarnation... first) {
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
        switch (ChannelFrame.CODEC.read(bytes)) {
            case ChannelFrame.Numbered numbered -> record(to, numbered.message());
            case ChannelFrame.Unnumbered(var message) -> record(to, message);
            case ChannelFrame.Acknowledgement acknowledgement -> {}
        }
    }

    private void record(NodeId to, ByteString message) {
        sent.computeIfAbsent(to, node -> new ArrayList<>()).add(message.toByteArray());
    }

    /** These peers are connected from now on. */
    public void connect(PeerIncarnation... peers) {
        requireNonNull(listener).onPeersChanged(List.of(peers));
    }

    /** The process of a peer has ended. */
    public void refuse(NodeId peer) {
        requireNonNull(listener).onRefused(peer);
    }

    public void arrive(PeerIncarnation from, byte[] message) {
        long number = lastNumbers.merge(from, 1L, Long::sum);
        var frame = new ChannelFrame.Numbered(number, 0, ByteString.of(message));
        requireNonNull(listener).onMessage(from, ChannelFrame.CODEC.write(frame));
    }

    /** Messages sent to a node so far. */
    public List<byte[]> sentTo(NodeId node) {
        return List.copyOf(sent.getOrDefault(node, List.of()));
    }

    @Override
    public void close() {}
}
