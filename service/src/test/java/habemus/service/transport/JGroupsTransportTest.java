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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Two nodes that are connected by JGroups. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class JGroupsTransportTest {

    private final List<Member> members = TestClusters.members(2);
    private final List<Transport> open = new ArrayList<>();

    @TempDir
    private Path folder;

    private static final class RecordingListener implements Transport.Listener {
        private final BlockingQueue<String> arrived = new LinkedBlockingQueue<>();
        private final BlockingQueue<List<PeerIncarnation>> views = new LinkedBlockingQueue<>();

        @Override
        public void onMessage(PeerIncarnation from, byte[] bytes) {
            arrived.add(from + " " + bytes.length + " " + bytes[0]);
        }

        @Override
        public void onPeersChanged(List<PeerIncarnation> peers) {
            views.add(peers);
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
    }

    private Transport start(int node, long incarnation, TransportSecurity security, RecordingListener listener) {
        var net = new JGroupsTransport("test", members, new PeerIncarnation(new NodeId(node), incarnation), security);
        open.add(net);
        net.start(listener);
        return net;
    }

    @AfterEach
    void close() {
        open.forEach(Transport::close);
    }

    private void exchangeMessages(TransportSecurity security) throws InterruptedException {
        var one = new RecordingListener();
        var two = new RecordingListener();
        var first = start(1, 7, security, one);
        start(2, 8, security, two);
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
    void messages_are_delivered_once_and_in_order() throws InterruptedException {
        exchangeMessages(new TransportSecurity.None());
    }

    @Test
    void nodes_with_the_same_secret_exchange_messages() throws InterruptedException {
        exchangeMessages(new TransportSecurity.SharedSecret("correct horse"));
    }

    @Test
    void nodes_with_different_secrets_do_not_connect() throws InterruptedException {
        var one = new RecordingListener();
        var two = new RecordingListener();
        start(1, 7, new TransportSecurity.SharedSecret("correct horse"), one);
        start(2, 8, new TransportSecurity.SharedSecret("battery staple"), two);
        assertThat(one.views.poll(20, SECONDS)).isEmpty();
        assertThat(two.views.poll(20, SECONDS)).isEmpty();
        assertThat(one.views.poll(3, SECONDS)).isNull();
    }

    @Test
    void nodes_with_certificates_exchange_messages() throws Exception {
        exchangeMessages(new Certificates(folder, "node").of("node"));
    }

    @Test
    void a_new_incarnation_replaces_the_old_one() throws InterruptedException {
        var one = new RecordingListener();
        start(1, 7, new TransportSecurity.None(), one);
        var second = start(2, 8, new TransportSecurity.None(), new RecordingListener());
        assertThat(one.sees(new PeerIncarnation(new NodeId(2), 8))).isTrue();
        second.close();
        assertThat(one.sees()).isTrue();
        start(2, 9, new TransportSecurity.None(), new RecordingListener());
        assertThat(one.sees(new PeerIncarnation(new NodeId(2), 9))).isTrue();
    }

    @Test
    void random_bytes_at_the_port_do_no_harm() throws Exception {
        var one = new RecordingListener();
        start(1, 7, new TransportSecurity.None(), one);
        try (var socket = new Socket(
                members.getFirst().address().getAddress(),
                members.getFirst().address().getPort())) {
            socket.getOutputStream().write(new byte[10_000]);
            socket.getOutputStream().flush();
        } catch (IOException refused) {
            assertThat(refused).isNotNull(); // the node may close the connection
        }
        start(2, 8, new TransportSecurity.None(), new RecordingListener());
        assertThat(one.sees(new PeerIncarnation(new NodeId(2), 8))).isTrue();
    }
}
