package habemus.harness.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Bytes that no client or node of this service would send. The node must end the connection at once. */
final class ForeignProtocolAttack implements Attack {

    private static final int RANDOM_BYTES = 100_000;
    private static final int LONG_FIRST_FRAME = 5_000; // bytes; a client that is authenticated may send it
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Input(String text, List<Victim.Port> ports, byte[] bytes) {}

    private static final List<Victim.Port> FRAMES = List.of(Victim.Port.PEER, Victim.Port.CLIENT);

    @Override
    public String name() {
        return "foreign-protocols";
    }

    @Override
    public String summary() {
        return "serialized objects, huge lengths, HTTP, TLS and random bytes where none of them belongs";
    }

    @Override
    public Setting setting() {
        return Setting.OPEN;
    }

    private static List<Input> inputs(long seed) {
        var random = new FrameMutator(seed, List.of()).random(0);
        var bytes = new byte[RANDOM_BYTES];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) random.nextInt(256);
        }
        bytes[0] = (byte) 0xFF; // no length
        var tls = new byte[] {22, 3, 1, 2, 0, 1, 0, 1, -4, 3, 3};
        return List.of(
                new Input("random bytes", List.of(Victim.Port.values()), bytes),
                new Input("a serialized object", List.of(Victim.Port.values()), serializedObject()),
                new Input("a serialized object in a frame", FRAMES, ValidFrames.withLength(serializedObject())),
                new Input("a huge length", FRAMES, length(Integer.MAX_VALUE)),
                new Input("a negative length", FRAMES, length(Integer.MIN_VALUE)),
                new Input("a long first frame", List.of(Victim.Port.CLIENT), length(LONG_FIRST_FRAME)),
                new Input("an HTTP request", FRAMES, "GET / HTTP/1.1\r\nHost: n1\r\n\r\n".getBytes(US_ASCII)),
                new Input("a TLS handshake", FRAMES, tls),
                new Input(
                        "the frame of a client",
                        List.of(Victim.Port.PEER),
                        ValidFrames.withLength(ValidFrames.hello(""))),
                new Input(
                        "the handshake of a node",
                        List.of(Victim.Port.CLIENT),
                        ValidFrames.withLength(ValidFrames.ofPeer().getFirst())),
                new Input(
                        "a request before the handshake",
                        List.of(Victim.Port.CLIENT),
                        ValidFrames.withLength(ValidFrames.ofClient().getFirst())));
    }

    private static byte[] length(int bytes) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(bytes).array();
    }

    /** The list with the text "gadget", as {@code ObjectOutputStream} writes it: this program has no such class. */
    private static byte[] serializedObject() {
        return HexFormat.of()
                .parseHex("aced0005737200136a6176612e7574696c2e41727261794c6973747881d21d99c7619d03000149000473697a65"
                        + "78700000000177040000000174000667616467657478");
    }

    @Override
    public Outcome run(AttackRun run) throws InterruptedException {
        var failures = new CopyOnWriteArrayList<String>();
        var attempts = new ArrayList<Thread>();
        for (var input : inputs(run.budget().seed())) {
            for (var port : input.ports) {
                for (int node = 0; node < run.victim().nodes().size(); node++) {
                    int turn = node;
                    attempts.add(Thread.ofVirtual().start(() -> send(run.victim(), input, port, turn, failures)));
                }
            }
        }
        for (Thread attempt : attempts) {
            attempt.join();
        }
        return new Outcome(AttackRun.format("%,d connections", attempts.size()), failures);
    }

    private static void send(Victim victim, Input input, Victim.Port port, int turn, List<String> failures) {
        try (var socket = SocketExchange.connect(victim, port, turn)) {
            if (SocketExchange.send(socket, input.bytes, SocketExchange.Ending.STAY_OPEN, TIMEOUT)
                    .isEmpty()) {
                failures.add("the " + port + " port of n" + (turn + 1) + " keeps the connection after " + input.text);
            }
        } catch (IOException unreachable) {
            failures.add("the " + port + " port cannot be reached: " + unreachable.getMessage());
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
