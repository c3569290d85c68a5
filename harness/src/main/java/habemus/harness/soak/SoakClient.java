package habemus.harness.soak;

import habemus.client.Acquirable;
import habemus.client.Candidate;
import habemus.client.ClientOptions;
import habemus.client.Election;
import habemus.client.Grant;
import habemus.client.Habemus;
import habemus.client.HabemusException;
import habemus.client.LockLostException;
import habemus.client.LossReason;
import habemus.client.OutcomeUnknownException;
import habemus.harness.HarnessException;
import habemus.harness.history.HistoryEvent;
import habemus.harness.history.HistoryFile;
import habemus.harness.history.ResourceClient;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One client process of a {@link LockServiceSoak}: some threads that acquire locks, and a candidate. It writes its
 * history to a file, and ends when its standard input does.
 */
public final class SoakClient {

    /**
     * @param name of this process, unique in the soak
     * @param serviceAddresses client addresses of the nodes, separated by commas
     * @param resourceAddress of the guarded resource, as HOST:PORT
     * @param history file to write
     */
    public record Config(String name, String serviceAddresses, String resourceAddress, Path history, long seed) {}

    /** Builds the command that starts a client process. The command line implements it, with its own options. */
    @FunctionalInterface
    public interface CommandLine {
        List<String> command(Config config);
    }

    static final Duration LEASE = Duration.ofSeconds(2);
    static final List<String> LOCKS = List.of("one", "two", "three");
    static final String READ_WRITE_LOCK = "read-or-write";
    static final String ELECTION = "leader";

    private static final int THREADS = 3;
    private static final Duration CONNECT_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final int MAX_HOLD_MILLIS = 40;
    private static final int MAX_THINK_MILLIS = 30;
    private static final int MAX_TERM_MILLIS = 1_500;
    private static final int LONG_HOLD_ODDS = 40; // one of so many holds outlasts the lease
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10); // of writes, and of looks at the clock
    private static final Duration STALL_THRESHOLD = Duration.ofMillis(50);

    private final String name;
    private final InetSocketAddress resourceAddress;
    private final HistoryFile history;
    private final AtomicLong requestCounter = new AtomicLong();
    private volatile boolean stopped;

    private SoakClient(String name, InetSocketAddress resourceAddress, HistoryFile history) {
        this.name = name;
        this.resourceAddress = resourceAddress;
        this.history = history;
    }

    /**
     * Runs until the input ends.
     *
     * @param output gets the line {@code ready} when the client is connected
     * @throws HarnessException if the history cannot be written
     */
    public static void run(Config config, InputStream input, PrintStream output) throws InterruptedException {
        try (var history = new HistoryFile(config.history, config.name)) {
            var client = new SoakClient(config.name, address(config.resourceAddress), history);
            Thread.ofPlatform().daemon().start(client::detectStalls);
            client.runUntilEof(config, input, output);
        } catch (IOException failed) {
            throw new HarnessException(
                    "client " + config.name + " cannot write its history: " + failed.getMessage(),
                    "check the free space of the disk");
        }
    }

    private static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }

    private void runUntilEof(Config config, InputStream input, PrintStream output)
            throws IOException, InterruptedException {
        var options = ClientOptions.to(config.serviceAddresses.split(",", -1))
                .withName(name)
                .withLease(LEASE)
                .withConnectTimeout(CONNECT_TIMEOUT);
        try (var habemus = Habemus.connect(options)) {
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < THREADS; i++) {
                var random = new Random(config.seed * THREADS + i);
                threads.add(Thread.ofPlatform().start(() -> useLocks(habemus, random)));
            }
            threads.add(Thread.ofPlatform().start(() -> campaign(habemus.election(ELECTION), new Random(config.seed))));
            output.println("ready");
            output.flush();
            while (input.read() >= 0) {
                Thread.onSpinWait(); // the input has no meaning but its end
            }
            stopped = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private void useLocks(Habemus habemus, Random random) {
        try (var resource = new ResourceClient(resourceAddress, name)) {
            while (!stopped) {
                var request = nextRequest(habemus, random);
                history.write(HistoryEvent.Kind.REQUESTED, request.entryAt(System.nanoTime(), 0));
                try {
                    hold(request, request.resource.acquire(WAIT), random, resource);
                } catch (HabemusException notGranted) {
                    history.write(HistoryEvent.Kind.TIMED_OUT, request.entryAt(System.nanoTime(), 0));
                }
                Thread.sleep(random.nextInt(MAX_THINK_MILLIS));
            }
        } catch (IOException disconnected) {
            // the soak has ended
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** One acquire. */
    private record Request(long number, Acquirable resource, boolean isShared, List<String> names) {

        private HistoryFile.Entry entryAt(long time, long fence) {
            return new HistoryFile.Entry(time, number, isShared, names, fence, "");
        }
    }

    private Request nextRequest(Habemus habemus, Random random) {
        long number = requestCounter.incrementAndGet();
        var lock = LOCKS.get(random.nextInt(LOCKS.size()));
        return switch (random.nextInt(8)) {
            case 0 -> new Request(number, habemus.multiLock("one", "two"), false, List.of("one", "two"));
            case 1 -> new Request(number, habemus.multiLock("three", "one"), false, List.of("three", "one"));
            case 2, 3 ->
                new Request(number, habemus.readWriteLock(READ_WRITE_LOCK).read(), true, List.of(READ_WRITE_LOCK));
            case 4 ->
                new Request(number, habemus.readWriteLock(READ_WRITE_LOCK).write(), false, List.of(READ_WRITE_LOCK));
            default -> new Request(number, habemus.lock(lock), false, List.of(lock));
        };
    }

    private void hold(Request request, Grant grant, Random random, ResourceClient resource)
            throws IOException, InterruptedException {
        history.write(HistoryEvent.Kind.GRANTED, request.entryAt(System.nanoTime(), grant.fence()));
        grant.onLost((LossReason reason) -> history.write(
                HistoryEvent.Kind.LOST,
                request.entryAt(System.nanoTime(), grant.fence()).withReason(reason)));
        long time = random.nextInt(LONG_HOLD_ODDS) == 0
                ? LEASE.toMillis() + MAX_HOLD_MILLIS
                : random.nextInt(MAX_HOLD_MILLIS);
        long end = System.nanoTime() + time * 1_000_000;
        while (isValid(request, grant) && System.nanoTime() - end < 0) {
            for (String lock : request.isShared ? List.<String>of() : request.names) {
                if (!resource.write(lock, grant.fence())) {
                    history.write(HistoryEvent.Kind.STALE_FENCE, request.entryAt(System.nanoTime(), grant.fence()));
                }
            }
            Thread.sleep(POLL_INTERVAL);
        }
        history.write(HistoryEvent.Kind.RELEASING, request.entryAt(System.nanoTime(), grant.fence()));
        try {
            grant.release();
            history.write(HistoryEvent.Kind.RELEASED, request.entryAt(System.nanoTime(), grant.fence()));
        } catch (LockLostException lost) {
            // the listener has recorded the loss
        } catch (OutcomeUnknownException unknown) {
            history.write(HistoryEvent.Kind.UNKNOWN, request.entryAt(System.nanoTime(), grant.fence()));
        }
    }

    /** Records the time before the check: a grant that is valid now was valid then. */
    private boolean isValid(Request request, Grant grant) {
        long before = System.nanoTime();
        boolean valid = grant.isValid();
        if (valid) {
            history.write(HistoryEvent.Kind.VALID, request.entryAt(before, grant.fence()));
        }
        return valid;
    }

    /** Campaigns without end, and resigns a while after it was elected. */
    private void campaign(Election election, Random random) {
        try {
            while (!stopped) {
                election.campaign(new RecordingCandidate());
                long end = System.nanoTime() + random.nextInt(MAX_TERM_MILLIS) * 1_000_000L;
                while (!stopped && (System.nanoTime() - end < 0 || !election.isLeader())) {
                    Thread.sleep(POLL_INTERVAL);
                }
                election.resign();
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** Records its terms as leader. */
    private final class RecordingCandidate implements Candidate {

        private long request;

        @Override
        public void onElected(long term) {
            request = requestCounter.incrementAndGet();
            history.write(HistoryEvent.Kind.ELECTED, entry(term));
            try (var resource = new ResourceClient(resourceAddress, name)) {
                if (!resource.write(ELECTION, term)) {
                    history.write(HistoryEvent.Kind.STALE_FENCE, entry(term));
                }
            } catch (IOException interrupted) {
                // deposed during the write
            }
        }

        @Override
        public void onDeposed(long term, LossReason reason) {
            history.write(HistoryEvent.Kind.DEPOSED, entry(term).withReason(reason));
        }

        private HistoryFile.Entry entry(long term) {
            return new HistoryFile.Entry(System.nanoTime(), request, false, List.of(ELECTION), term, "");
        }
    }

    /** Records when the whole process was paused, for whatever reason. */
    private void detectStalls() {
        long last = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(POLL_INTERVAL);
                long now = System.nanoTime();
                if (now - last > STALL_THRESHOLD.toNanos()) {
                    history.write(
                            HistoryEvent.Kind.STALLED,
                            new HistoryFile.Entry(now, 0, false, List.of(), 0, Long.toString(now - last)));
                }
                last = now;
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }
}
