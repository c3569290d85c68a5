package habemus.service.transport;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.service.algorithm.Certificates;
import habemus.service.algorithm.TestClusters;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two ends of a real link. */
@Execution(ExecutionMode.CONCURRENT)
class JGroupsTransportTest {

    private final List<Member> members = TestClusters.members(2);
    private final List<Transport> open = new ArrayList<>();

    @TempDir
    private Path folder;

    private static final class End implements Transport.Listener {
        private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
        private final BlockingQueue<List<PeerIncarnation>> views = new LinkedBlockingQueue<>();

        @Override
        public void onMessage(PeerIncarnation from, byte[] bytes) {
            arrived.add(from + " " + bytes.length + " " + bytes[0]);
        }

        @Override
        public void onPeersChanged(List<PeerIncarnation> peerIncarnations) {
            views.add(peerIncarnations);
        }

        /** Whether these are there, sooner or later. */
        boolean sees(PeerIncarnation... peerIncarnations) throws InterruptedException {
            for (var view = views.poll(20, SECONDS); view != null; view = views.poll(20, SECONDS)) {
                if (view.equals(List.of(peerIncarnations))) {
                    return true;
                }
            }
            return false;
        }
    }

    private Transport start(int node, long incarnation, TransportSecurity transportSecurity, End end) {
        var net = new JGroupsTransport(
                "test", members, new PeerIncarnation(new NodeId(node), incarnation), transportSecurity);
        open.add(net);
        net.start(end);
        return net;
    }

    @AfterEach
    void close() {
        open.forEach(Transport::close);
    }

    private void talk(TransportSecurity transportSecurity) throws InterruptedException {
        var one = new End();
        var two = new End();
        var first = start(1, 7, transportSecurity, one);
        start(2, 8, transportSecurity, two);
        assertThat(one.sees(new PeerIncarnation(new NodeId(2), 8))).isTrue();
        for (byte i = 0; i < 100; i++) {
            first.send(new NodeId(2), new byte[] {i});
        }
        first.send(new NodeId(2), new byte[200_000]);
        for (int i = 0; i < 100; i++) {
            assertThat(two.arrived.poll(10, SECONDS)).isEqualTo("n1#7 1 " + i);
        }
        assertThat(two.arrived.poll(10, SECONDS)).isEqualTo("n1#7 200000 0");
    }

    @Test
    void everything_arrives_once_and_in_order() throws InterruptedException {
        talk(new TransportSecurity.None());
    }

    @Test
    void those_who_share_a_secret_talk() throws InterruptedException {
        talk(new TransportSecurity.SharedSecret("correct horse"));
    }

    @Test
    void those_who_do_not_share_the_secret_are_not_there() throws InterruptedException {
        var one = new End();
        var two = new End();
        start(1, 7, new TransportSecurity.SharedSecret("correct horse"), one);
        start(2, 8, new TransportSecurity.SharedSecret("battery staple"), two);
        assertThat(one.views.poll(20, SECONDS)).isEmpty();
        assertThat(two.views.poll(20, SECONDS)).isEmpty();
        assertThat(one.views.poll(3, SECONDS)).isNull();
    }

    @Test
    void those_with_certificates_talk() throws Exception {
        talk(new Certificates(folder, "node").of("node"));
    }

    @Test
    void a_new_life_takes_the_place_of_the_old_one() throws InterruptedException {
        var one = new End();
        start(1, 7, new TransportSecurity.None(), one);
        var second = start(2, 8, new TransportSecurity.None(), new End());
        assertThat(one.sees(new PeerIncarnation(new NodeId(2), 8))).isTrue();
        second.close();
        assertThat(one.sees()).isTrue();
        start(2, 9, new TransportSecurity.None(), new End());
        assertThat(one.sees(new PeerIncarnation(new NodeId(2), 9))).isTrue();
    }

    /** Whoever knocks at the port with something else. */
    @Test
    void noise_on_the_wire_hurts_nobody() throws Exception {
        var one = new End();
        start(1, 7, new TransportSecurity.None(), one);
        try (var socket = new Socket(
                members.getFirst().address().getAddress(),
                members.getFirst().address().getPort())) {
            socket.getOutputStream().write(new byte[10_000]);
            socket.getOutputStream().flush();
        } catch (IOException refused) {
            assertThat(refused).isNotNull(); // it may hang up
        }
        start(2, 8, new TransportSecurity.None(), new End());
        assertThat(one.sees(new PeerIncarnation(new NodeId(2), 8))).isTrue();
    }
}
