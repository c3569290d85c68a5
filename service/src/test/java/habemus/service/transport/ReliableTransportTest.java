package habemus.service.transport;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.service.runtime.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which frames a node transmits, and which messages it delivers. */
class ReliableTransportTest {

    private static final NodeId TWO = new NodeId(2);
    private static final PeerIncarnation FIRST = new PeerIncarnation(TWO, 1);
    private static final PeerIncarnation SECOND = new PeerIncarnation(TWO, 2);

    private final ManualEventLoop loop = ManualEventLoop.eager();
    private final LowerTransport lower = new LowerTransport();
    private final ReliableTransport transport = new ReliableTransport(lower, loop);
    private final List<String> delivered = new ArrayList<>();

    /** Records what is sent. */
    private static final class LowerTransport implements Transport {
        private final List<ChannelFrame> sent = new ArrayList<>();
        private Listener listener;

        @Override
        public void start(Listener upper) {
            listener = upper;
        }

        @Override
        public void setPeers(List<Member> peers) {}

        @Override
        public void send(NodeId to, byte[] bytes) {
            sent.add(ChannelFrame.CODEC.read(bytes));
        }

        @Override
        public void close() {}

        void arrive(PeerIncarnation from, ChannelFrame frame) {
            listener.onMessage(from, ChannelFrame.CODEC.write(frame));
        }

        List<ChannelFrame> takeSent() {
            var taken = List.copyOf(sent);
            sent.clear();
            return taken;
        }
    }

    @BeforeEach
    void start() {
        transport.start(new Transport.Listener() {
            @Override
            public void onMessage(PeerIncarnation from, byte[] bytes) {
                delivered.add(from + " " + new String(bytes, UTF_8));
            }

            @Override
            public void onPeersChanged(List<PeerIncarnation> peers) {
                delivered.add("peers " + peers);
            }
        });
    }

    private void connect(PeerIncarnation... peers) {
        lower.listener.onPeersChanged(List.of(peers));
    }

    private void send(String message) {
        transport.send(TWO, message.getBytes(UTF_8));
    }

    private static ChannelFrame.Numbered numbered(long number, String message) {
        return new ChannelFrame.Numbered(number, 0, ByteString.ofText(message));
    }

    @Test
    void messages_sent_while_the_peer_is_away_are_transmitted_when_it_is_back() {
        connect(FIRST);
        send("a");
        connect();
        send("b");
        assertThat(lower.takeSent()).containsExactly(numbered(1, "a"));
        connect(FIRST);
        assertThat(lower.takeSent()).containsExactly(numbered(1, "a"), numbered(2, "b"));
    }

    @Test
    void messages_to_a_former_incarnation_are_gone() {
        connect(FIRST);
        send("a");
        lower.arrive(FIRST, numbered(1, "x"));
        connect();
        connect(SECOND);
        send("b");
        lower.arrive(SECOND, numbered(1, "y"));
        assertThat(lower.takeSent()).containsExactly(numbered(1, "a"), numbered(1, "b"));
        assertThat(delivered).contains("n2#1 x", "n2#2 y");
    }

    @Test
    void a_message_of_a_former_incarnation_is_dropped() {
        connect(SECOND);
        lower.arrive(FIRST, numbered(1, "x"));
        connect(FIRST);
        lower.arrive(FIRST, numbered(1, "x"));
        assertThat(delivered).containsExactly("peers [n2#2]", "peers []");
    }

    @Test
    void a_message_to_a_peer_that_was_never_connected_is_dropped() {
        send("a");
        connect(FIRST);
        assertThat(lower.takeSent()).isEmpty();
    }

    @Test
    void delivered_messages_are_acknowledged_after_a_while() {
        connect(FIRST);
        lower.arrive(FIRST, numbered(1, "x"));
        lower.arrive(FIRST, numbered(2, "y"));
        assertThat(lower.takeSent()).isEmpty();
        loop.advance(Duration.ofMillis(100));
        assertThat(lower.takeSent()).containsExactly(new ChannelFrame.Acknowledgement(2));
        loop.advance(Duration.ofSeconds(1));
        assertThat(lower.takeSent()).isEmpty();
    }

    @Test
    void many_delivered_messages_are_acknowledged_at_once() {
        connect(FIRST);
        for (int i = 1; i <= 256; i++) {
            lower.arrive(FIRST, numbered(i, "x"));
        }
        assertThat(lower.takeSent()).containsExactly(new ChannelFrame.Acknowledgement(256));
    }

    @Test
    void an_unreliable_message_is_delivered_but_not_transmitted_again() {
        connect(FIRST);
        transport.sendUnreliable(TWO, "a".getBytes(UTF_8));
        connect();
        transport.sendUnreliable(TWO, "b".getBytes(UTF_8));
        connect(FIRST);
        assertThat(lower.takeSent()).containsExactly(new ChannelFrame.Unnumbered(ByteString.ofText("a")));
        lower.arrive(FIRST, new ChannelFrame.Unnumbered(ByteString.ofText("x")));
        assertThat(delivered).contains("n2#1 x");
    }

    @Test
    void a_malformed_frame_is_dropped() {
        connect(FIRST);
        lower.listener.onMessage(FIRST, new byte[] {99});
        lower.arrive(FIRST, new ChannelFrame.Acknowledgement(5));
        lower.arrive(FIRST, numbered(1, "x"));
        assertThat(delivered).containsExactly("peers [n2#1]", "n2#1 x");
    }
}
