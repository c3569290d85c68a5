package habemus.service.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How much of the server a client gets. The first frame of a connection names its principal. */
class FrameServerTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int MAX_UNREAD_BYTES = 1 << 20;
    private static final int FLOOD_CONNECTIONS = 20;
    private static final int FLOOD_FRAMES = 400; // of each connection, which fit into one read

    private final NettyEventLoop loop = new NettyEventLoop("frames");
    private final BlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private final List<Socket> sockets = new ArrayList<>();
    private final CountDownLatch go = new CountDownLatch(1);
    private volatile boolean isBusy;
    private final FrameServer server = new FrameServer(
            loop,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Optional.empty(),
            new FrameServer.Limits(MINUTE, MINUTE, MINUTE, 1 << 20, MAX_UNREAD_BYTES, 100, 100),
            new RecordingService());

    private final class RecordingService implements FrameServer.Service {

        @Override
        public FrameConnection.Handler handlerOf(FrameConnection connection) {
            return new RecordingHandler(connection);
        }

        @Override
        public boolean isBusy() {
            return isBusy;
        }
    }

    private final class RecordingHandler implements FrameConnection.Handler {
        private final FrameConnection connection;
        private String principal = "";

        RecordingHandler(FrameConnection connection) {
            this.connection = connection;
        }

        @Override
        public void onFrame(byte[] frame) {
            if (principal.isEmpty()) {
                principal = new String(frame, US_ASCII);
                connection.open(1 << 20, principal);
            }
            handled.add(principal);
        }

        @Override
        public void onMalformed(String reason) {
            handled.add("malformed");
            connection.disconnect("malformed");
        }

        @Override
        public void onTlsFailed(String reason) {}

        @Override
        public boolean mayBeIdle() {
            return true;
        }

        @Override
        public void onClosed() {
            handled.add(principal + " closed");
        }
    }

    @AfterEach
    void close() throws IOException {
        go.countDown();
        server.close();
        loop.close();
        for (var socket : sockets) {
            socket.close();
        }
    }

    private DataOutputStream connect(String principal) throws Exception {
        server.open();
        var socket = new Socket(server.address().getAddress(), server.address().getPort());
        socket.setTcpNoDelay(true);
        sockets.add(socket);
        var out = new DataOutputStream(socket.getOutputStream());
        send(out, principal);
        assertThat(next()).isEqualTo(principal);
        return out;
    }

    private static void send(DataOutputStream out, String text) throws IOException {
        var bytes = text.getBytes(US_ASCII);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private String next() throws InterruptedException {
        return String.valueOf(handled.poll(10, TimeUnit.SECONDS));
    }

    /** Pauses the loop until all frames are sent, so that the loop finds all of them at once. */
    private void holdLoop() {
        loop.execute(() -> {
            try {
                go.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
    }

    @Test
    void a_client_is_served_between_the_frames_of_a_flood_however_many_connections_it_has() throws Exception {
        var floods = new ArrayList<DataOutputStream>();
        for (int i = 0; i < FLOOD_CONNECTIONS; i++) {
            floods.add(connect("flood"));
        }
        var honest = connect("honest");
        holdLoop();
        var frames = ByteBuffer.allocate(FLOOD_FRAMES * (Integer.BYTES + 1));
        for (int i = 0; i < FLOOD_FRAMES; i++) {
            frames.putInt(1).put((byte) 0);
        }
        for (var flood : floods) {
            flood.write(frames.array());
        }
        for (int i = 0; i < 5; i++) {
            send(honest, "request");
        }
        go.countDown();
        int before = 0;
        for (int requests = 0; requests < 5; ) {
            if (next().equals("honest")) {
                requests++;
            } else {
                before++;
            }
        }
        assertThat(before).as("frames of the flood, of 8,000").isLessThan(300);
    }

    @Test
    void nothing_is_handled_while_the_service_is_busy_and_everything_afterwards() throws Exception {
        var client = connect("client");
        isBusy = true;
        for (int i = 0; i < 3; i++) {
            send(client, "request");
        }
        assertThat(handled.poll(200, TimeUnit.MILLISECONDS)).isNull();
        isBusy = false;
        for (int i = 0; i < 3; i++) {
            assertThat(next()).isEqualTo("client");
        }
    }

    @Test
    void what_a_client_sends_before_it_closes_is_handled_first() throws Exception {
        var client = connect("client");
        isBusy = true;
        send(client, "request");
        sockets.getFirst().close();
        assertThat(handled.poll(200, TimeUnit.MILLISECONDS)).isNull();
        isBusy = false;
        assertThat(List.of(next(), next())).containsExactly("client", "client closed");
    }

    @Test
    void if_clients_send_more_than_fits_the_one_with_the_most_unread_bytes_is_closed() throws Exception {
        var modest = connect("modest");
        var greedy = connect("greedy");
        var greedier = connect("greedier");
        modest.writeInt(1_000);
        modest.write(new byte[900]);
        greedy.writeInt(1 << 20);
        greedy.write(new byte[200 << 10]);
        greedier.writeInt(1 << 20);
        greedier.write(new byte[1_000 << 10]);
        assertThat(next()).isEqualTo("greedier closed");
        modest.write(new byte[100]);
        assertThat(next()).isEqualTo("modest");
    }

    @Test
    void a_first_frame_of_more_than_4_kb_is_malformed_before_it_arrives() throws Exception {
        server.open();
        var socket = new Socket(server.address().getAddress(), server.address().getPort());
        sockets.add(socket);
        new DataOutputStream(socket.getOutputStream()).writeInt((4 << 10) + 1);
        assertThat(next()).isEqualTo("malformed");
    }

    @Test
    void connections_without_a_handshake_are_counted() throws Exception {
        connect("client");
        var silent = new Socket(server.address().getAddress(), server.address().getPort());
        sockets.add(silent);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (server.handshakes() != 1 && System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        assertThat(server.handshakes()).isOne();
    }
}
