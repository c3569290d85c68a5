package habemus.harness.attack;

import habemus.codec.MalformedInputException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Mutated frames over sockets. Each conversation ends with the first frame that the node must refuse, so that the node
 * reads all of them.
 */
final class SocketFrameAttack implements Attack {

    private static final int ATTACKERS = 16;
    private static final int FRAMES_PER_TURN = 16;
    private static final int LENGTH_ODDS = 16; // one of so many frames has a wrong length
    private static final int MAX_FAILURES = 5;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Victim.Port port;

    SocketFrameAttack(Victim.Port port) {
        this.port = port;
    }

    @Override
    public String name() {
        return switch (port) {
            case PEER -> "peer-frames";
            case CLIENT -> "client-frames";
            case HTTP -> "http-requests";
        };
    }

    @Override
    public String summary() {
        return switch (port) {
            case PEER -> "mutated handshakes at the peer port";
            case CLIENT -> "mutated frames of a client after its handshake";
            case HTTP -> "mutated requests to the HTTP API";
        };
    }

    @Override
    public Setting setting() {
        return Setting.OPEN;
    }

    private List<byte[]> samples() {
        return switch (port) {
            case PEER -> ValidFrames.ofPeer();
            case CLIENT -> ValidFrames.ofClient();
            case HTTP -> ValidFrames.ofHttp();
        };
    }

    /** The client port has most of what can be reached without authentication, where no policy is. */
    private long count(AttackBudget budget) {
        return Math.max(1, port == Victim.Port.CLIENT ? budget.socketFrames() / 2 : budget.socketFrames() / 4);
    }

    @Override
    public Outcome run(AttackRun run) throws InterruptedException {
        var mutator = new FrameMutator(run.budget().seed(), samples());
        long from = run.budget().from();
        long end = from + count(run.budget());
        var next = new AtomicLong(from);
        var sent = new AtomicLong();
        var answered = new AtomicLong();
        long start = System.nanoTime();
        var failures = new CopyOnWriteArrayList<String>();
        var attackers = new ArrayList<Thread>();
        for (int i = 0; i < ATTACKERS; i++) {
            attackers.add(Thread.ofVirtual().start(() -> {
                for (long first = next.getAndAdd(FRAMES_PER_TURN);
                        first < end
                                && failures.size() < MAX_FAILURES
                                && !run.budget().isOver(start);
                        first = next.getAndAdd(FRAMES_PER_TURN)) {
                    long last = Math.min(end, first + FRAMES_PER_TURN);
                    answered.addAndGet(turn(run, mutator, first, last, failures));
                    sent.addAndGet(last - first);
                    run.progress().show("attack " + name(), first - from, end - from);
                }
            }));
        }
        for (Thread attacker : attackers) {
            attacker.join();
        }
        return new Outcome(
                AttackRun.format("%,d frames, %,d conversations answered", sent.get(), answered.get()), failures);
    }

    /** {@return the number of conversations that the node answered before it ended them} */
    private long turn(AttackRun run, FrameMutator mutator, long first, long end, List<String> failures) {
        long answered = 0;
        long number = first;
        while (number < end) {
            var bytes = new ByteArrayOutputStream();
            long next = write(mutator, number, end, bytes);
            var replay = "; " + run.budget().replay(name(), number, next - number);
            try (var socket = SocketExchange.connect(run.victim(), port, number)) {
                var answer =
                        SocketExchange.send(socket, bytes.toByteArray(), SocketExchange.Ending.HALF_CLOSE, TIMEOUT);
                if (answer.isEmpty()) {
                    failures.add("a connection is still open after " + TIMEOUT.toSeconds() + " s" + replay);
                } else if (answer.get().length > 0) {
                    answered++;
                }
            } catch (IOException unreachable) {
                failures.add("the " + port + " port cannot be reached: " + unreachable.getMessage() + replay);
                return answered;
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
                return answered;
            }
            number = next;
        }
        return answered;
    }

    /** {@return the number of the first frame of the next conversation} */
    private long write(FrameMutator mutator, long first, long end, ByteArrayOutputStream bytes) {
        if (port == Victim.Port.CLIENT) {
            bytes.writeBytes(ValidFrames.withLength(ValidFrames.hello("")));
        }
        for (long number = first; number < end; number++) {
            var random = mutator.random(number);
            var frame = mutator.frame(random);
            boolean hasWrongLength = port != Victim.Port.HTTP && random.nextInt(LENGTH_ODDS) == 0;
            var sent = port == Victim.Port.HTTP ? frame : ValidFrames.withLength(frame);
            if (hasWrongLength) {
                sent[random.nextInt(Integer.BYTES)] ^= (byte) (1 << random.nextInt(Byte.SIZE));
            }
            bytes.writeBytes(sent);
            if (hasWrongLength || port != Victim.Port.CLIENT || !isDecodable(frame)) {
                return number + 1;
            }
        }
        return end;
    }

    private static boolean isDecodable(byte[] frame) {
        try {
            ValidFrames.TO_SERVICE.read(frame);
            return true;
        } catch (MalformedInputException malformed) {
            return false;
        }
    }
}
