package habemus.harness.attack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Many connections at each port at once. Half of them are silent, the others send one byte at a time. The node must end
 * all of them, whatever they send.
 */
final class SlowConnectionAttack implements Attack {

    private static final Duration BYTE_INTERVAL = Duration.ofMillis(250);

    /** The limits of a node are 5 s at the peer and client port and 10 s for a request; the rest is the machine's. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String FIRST_BYTES_OF_FRAME = "\0\0\17\0 ";
    private static final String FIRST_BYTES_OF_REQUEST = "GET /status HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ";
    private static final String FIRST_BYTES_OF_TLS = "\26\3\1\17\0\1 ";

    private final boolean hasTls;

    SlowConnectionAttack(boolean hasTls) {
        this.hasTls = hasTls;
    }

    /** One connection of the attacker. */
    private static final class SlowConnection {
        private final SocketChannel channel;
        private final byte[] bytes;
        private int sent;

        SlowConnection(SocketChannel channel, String bytes) {
            this.channel = channel;
            this.bytes = bytes.getBytes(ISO_8859_1);
        }

        void drip() throws IOException {
            if (bytes.length > 0) {
                channel.write(ByteBuffer.wrap(bytes, Math.min(sent++, bytes.length - 1), 1));
            }
        }

        boolean isClosedByNode(ByteBuffer buffer) {
            try {
                int n = 1;
                while (n > 0) {
                    n = channel.read(buffer.clear());
                }
                return n < 0;
            } catch (IOException reset) {
                return true;
            }
        }
    }

    @Override
    public String name() {
        return hasTls ? "slow-tls-handshakes" : "slow-connections";
    }

    @Override
    public String summary() {
        return hasTls
                ? "TLS handshakes that arrive byte by byte at every port"
                : "connections that are silent, or send byte by byte, at every port";
    }

    @Override
    public Setting setting() {
        return hasTls ? Setting.SECURED : Setting.OPEN;
    }

    private String firstBytes(Victim.Port port) {
        if (hasTls) {
            return FIRST_BYTES_OF_TLS;
        }
        return port == Victim.Port.HTTP ? FIRST_BYTES_OF_REQUEST : FIRST_BYTES_OF_FRAME;
    }

    @Override
    public Outcome run(AttackRun run) throws IOException, InterruptedException {
        var open = new HashMap<Victim.Port, List<SlowConnection>>();
        var last = new HashMap<Victim.Port, Duration>();
        long start = System.nanoTime();
        try {
            for (var port : Victim.Port.values()) {
                open.put(port, connect(run, port));
            }
            while (Duration.ofNanos(System.nanoTime() - start).compareTo(PATIENCE) < 0
                    && open.values().stream().anyMatch(connections -> !connections.isEmpty())) {
                open.forEach((port, connections) -> {
                    if (removeClosed(connections)) {
                        last.put(port, Duration.ofNanos(System.nanoTime() - start));
                    }
                });
                Thread.sleep(BYTE_INTERVAL);
                run.progress().showText("attack " + name());
            }
            return outcome(run.budget().connections(), open, last);
        } finally {
            for (var connections : open.values()) {
                for (var connection : connections) {
                    connection.channel.close();
                }
            }
        }
    }

    private List<SlowConnection> connect(AttackRun run, Victim.Port port) throws IOException {
        var connections = new ArrayList<SlowConnection>();
        for (int i = 0; i < run.budget().connections(); i++) {
            var channel = SocketChannel.open(run.victim().address(port, 0));
            channel.configureBlocking(false);
            connections.add(new SlowConnection(channel, i % 2 == 0 ? "" : firstBytes(port)));
        }
        return connections;
    }

    /** Sends a byte on each, and removes those that the node has closed. */
    private static boolean removeClosed(List<SlowConnection> connections) {
        var buffer = ByteBuffer.allocate(8_192);
        return connections.removeIf(connection -> {
            try {
                if (connection.isClosedByNode(buffer)) {
                    connection.channel.close();
                    return true;
                }
                connection.drip();
                return false;
            } catch (IOException closed) {
                return true;
            }
        });
    }

    private static Outcome outcome(
            int count, Map<Victim.Port, List<SlowConnection>> open, Map<Victim.Port, Duration> last) {
        var failures = new ArrayList<String>();
        var texts = new ArrayList<String>();
        for (var port : Victim.Port.values()) {
            int left = open.getOrDefault(port, List.of()).size();
            if (left > 0) {
                failures.add(AttackRun.format(
                        "%,d of %,d slow connections at the %s port are open after %d s",
                        left, count, port, PATIENCE.toSeconds()));
            }
            texts.add(AttackRun.format(
                    "%s %.1f s", port, last.getOrDefault(port, Duration.ZERO).toMillis() / 1e3));
        }
        return new Outcome(
                AttackRun.format("%,d connections at each port; the last was ended after: ", count)
                        + String.join(", ", texts),
                failures);
    }
}
