package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.client.environment.Endpoint;
import habemus.client.environment.NodeConnector;
import habemus.codec.Codec;
import habemus.lockservice.ResourceName;
import habemus.lockservice.protocol.ClientFrame;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // a blocked socket write cannot be interrupted
class NodeSocketTest implements NodeConnector.Receiver {

    private static final Codec<ClientFrame.ToService> CODEC = Codec.of(ClientFrame.ToService.class);

    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final SocketConnector connector = new SocketConnector(Duration.ofSeconds(10), Optional.empty());
    private ServerSocket node;
    private NodeSocket socket;

    @BeforeEach
    void open() throws IOException {
        node = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var endpoint = new Endpoint("localhost", node.getLocalPort());
        socket = connector.open(endpoint, Duration.ZERO, this);
    }

    @AfterEach
    void close() throws IOException {
        socket.close();
        node.close();
    }

    @Override
    public void onFrame(ClientFrame.ToClient frame) {}

    @Override
    public void onBroken(String why) {
        ends.add(why);
    }

    private static ClientFrame.ToService question(long number) {
        return new ClientFrame.Describe(number, ResourceName.lock("a/long/name/".repeat(10)));
    }

    @Test
    void frames_arrive_in_order_whichever_thread_flushes_them() throws Exception {
        socket.send(question(1)); // possibly before the socket is connected
        connector.flush();
        try (var there = node.accept()) {
            var in = new DataInputStream(there.getInputStream());
            assertThat(CODEC.read(in.readNBytes(in.readInt()))).isEqualTo(question(1));
            for (long number = 2; number < 200; number++) {
                socket.send(question(number));
                if (number % 2 == 0) {
                    connector.flush();
                } else {
                    Thread.ofVirtual().start(connector::flush).join();
                }
                assertThat(CODEC.read(in.readNBytes(in.readInt()))).isEqualTo(question(number));
            }
        }
    }

    @Test
    void a_sender_is_not_blocked_by_a_node_that_does_not_read() throws Exception {
        socket.send(question(0));
        connector.flush();
        try (var there = node.accept()) {
            there.getInputStream().readNBytes(1); // the connection is open
            for (long number = 0; number < 100_000; number++) {
                socket.send(question(number));
                connector.flush();
            }
        }
        assertThat(ends.poll(30, TimeUnit.SECONDS))
                .as("the end of the connection is reported")
                .isNotNull();
    }
}
