package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.fenced.Name;
import habemus.fenced.Parcel;
import habemus.protocol.NodeId;
import habemus.wire.Codec;
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

@Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // who writes to a socket is not interrupted
class LineTest implements Line.Ear {

    private static final Codec<Parcel.ToService> CODEC = Codec.of(Parcel.ToService.class);

    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private ServerSocket node;
    private Line line;

    @BeforeEach
    void open() throws IOException {
        node = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        var door = new Door("localhost", node.getLocalPort());
        var cable = new Line.Cable("", Duration.ofSeconds(10), Optional.empty());
        line = Line.open(door, new NodeId(1), cable, this, Duration.ZERO);
    }

    @AfterEach
    void close() throws IOException {
        line.drop();
        node.close();
    }

    @Override
    public void heard(Line from, Parcel.ToClient parcel) {}

    @Override
    public void broke(Line broken, String why) {
        ends.add(why);
    }

    private static Parcel.ToService question(long number) {
        return new Parcel.Look(number, Name.lock("a/long/name/".repeat(10)));
    }

    @Test
    void all_that_is_sent_arrives_in_its_order_by_whomever_it_is_flushed() throws Exception {
        line.send(question(1)); // maybe before there is a connection
        line.flush();
        try (var there = node.accept()) {
            var in = new DataInputStream(there.getInputStream());
            assertThat(CODEC.read(in.readNBytes(in.readInt()))).isInstanceOf(Parcel.Hello.class);
            assertThat(CODEC.read(in.readNBytes(in.readInt()))).isEqualTo(question(1));
            for (long number = 2; number < 200; number++) {
                line.send(question(number));
                if (number % 2 == 0) {
                    line.flush();
                } else {
                    Thread.ofVirtual().start(line::flush).join();
                }
                assertThat(CODEC.read(in.readNBytes(in.readInt()))).isEqualTo(question(number));
            }
        }
    }

    @Test
    void who_sends_is_not_kept_by_a_node_that_reads_nothing() throws Exception {
        try (var there = node.accept()) {
            there.getInputStream().readNBytes(1); // so the line is open
            for (long number = 0; number < 100_000; number++) {
                line.send(question(number));
                line.flush();
            }
            assertThat(line.isFull()).as("nobody should say more there").isTrue();
        }
        assertThat(ends.poll(30, TimeUnit.SECONDS))
                .as("it is noticed that the node has gone")
                .isNotNull();
    }
}
