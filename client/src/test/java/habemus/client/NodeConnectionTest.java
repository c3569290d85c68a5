package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.codec.Codec;
import habemus.lockservice.ResourceName;
import habemus.lockservice.protocol.ClientFrame;
import habemus.protocol.NodeId;
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
class NodeConnectionTest implements NodeConnection.Listener {

    private static final Codec<ClientFrame.ToService> CODEC = Codec.of(ClientFrame.ToService.class);

    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private ServerSocket node;
    private NodeConnection connection;

    @BeforeEach
    void open() throws IOException {
        node = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var endpoint = new Endpoint("localhost", node.getLocalPort());
        var connectOptions = new NodeConnection.ConnectOptions("", Duration.ofSeconds(10), Optional.empty());
        connection = NodeConnection.open(endpoint, new NodeId(1), connectOptions, this, Duration.ZERO);
    }

    @AfterEach
    void close() throws IOException {
        connection.disconnect();
        node.close();
    }

    @Override
    public void onFrame(NodeConnection from, ClientFrame.ToClient frame) {}

    @Override
    public void onBroken(NodeConnection broken, String why) {
        ends.add(why);
    }

    private static ClientFrame.ToService question(long number) {
        return new ClientFrame.Describe(number, ResourceName.lock("a/long/name/".repeat(10)));
    }

    @Test
    void frames_arrive_in_order_whichever_thread_flushes_them() throws Exception {
        connection.send(question(1)); // possibly before the socket is connected
        connection.flush();
        try (var there = node.accept()) {
            var in = new DataInputStream(there.getInputStream());
            assertThat(CODEC.read(in.readNBytes(in.readInt()))).isInstanceOf(ClientFrame.Hello.class);
            assertThat(CODEC.read(in.readNBytes(in.readInt()))).isEqualTo(question(1));
            for (long number = 2; number < 200; number++) {
                connection.send(question(number));
                if (number % 2 == 0) {
                    connection.flush();
                } else {
                    Thread.ofVirtual().start(connection::flush).join();
                }
                assertThat(CODEC.read(in.readNBytes(in.readInt()))).isEqualTo(question(number));
            }
        }
    }

    @Test
    void a_sender_is_not_blocked_by_a_node_that_does_not_read() throws Exception {
        try (var there = node.accept()) {
            there.getInputStream().readNBytes(1); // the connection is open
            for (long number = 0; number < 100_000; number++) {
                connection.send(question(number));
                connection.flush();
            }
            assertThat(connection.isBacklogFull()).as("the backlog is full").isTrue();
        }
        assertThat(ends.poll(30, TimeUnit.SECONDS))
                .as("the end of the connection is reported")
                .isNotNull();
    }
}
