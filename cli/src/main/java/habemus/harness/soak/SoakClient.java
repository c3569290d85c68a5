package habemus.harness.soak;

import habemus.cli.options.OutputOptions;
import habemus.cli.serve.ServeOptions;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ConsoleLogging;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.Terminal;
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
import habemus.harness.history.HistoryEvent;
import habemus.harness.history.HistoryFile;
import habemus.harness.history.ResourceClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.ParseResult;

/**
 * One of the processes that use the service while it is struck, and are struck themselves: some threads that take
 * locks, and a candidate. It writes down what it sees, and ends when its standard input does.
 */
public final class SoakClient {

    /** Hidden options of soak: the name of this life, the doors of the service, the resource, and the history. */
    public static final String NAME_OPTION = "--client-name";

    public static final String ADDRESSES_OPTION = "--client-doors";
    public static final String RESOURCE_OPTION = "--client-resource";
    public static final String HISTORY_OPTION = "--client-history";

    static final Duration LEASE = Duration.ofSeconds(2);
    static final List<String> LOCKS = List.of("one", "two", "three");
    static final String READ_WRITE_LOCK = "read-or-write";
    static final String ELECTION = "leader";

    private static final int THREADS = 3;
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final int MAX_HOLD_MILLIS = 40; // milliseconds, at most, as the next
    private static final int MAX_THINK_MILLIS = 30;
    private static final int MAX_TERM_MILLIS = 1_500;
    private static final int LONG_HOLD_ODDS = 40; // one of so many stays for longer than the lease
    private static final Duration POLL_INTERVAL = Duration.ofMillis(10); // two writes, or two looks at the clock
    private static final Duration STALL_THRESHOLD = Duration.ofMillis(50);

    private final String name;
    private final InetSocketAddress resourceAddress; // the resource
    private final HistoryFile history;
    private final AtomicLong requestCounter = new AtomicLong();
    private volatile boolean stopped;

    private SoakClient(String name, InetSocketAddress guarded, HistoryFile history) {
        this.name = name;
        this.resourceAddress = guarded;
        this.history = history;
    }

    public static int run(ParseResult parsed, Terminal terminal) {
        ConsoleLogging.configure(false);
        var name = OutputOptions.text(parsed, NAME_OPTION).orElseThrow();
        var doors = OutputOptions.text(parsed, ADDRESSES_OPTION).orElseThrow().split(",", -1);
        var guarded =
                ServeOptions.address(OutputOptions.text(parsed, RESOURCE_OPTION).orElseThrow(), RESOURCE_OPTION);
        long seed = OutputOptions.number(parsed, "--seed", 1);
        try (var history = new HistoryFile(
                Path.of(OutputOptions.text(parsed, HISTORY_OPTION).orElseThrow()), name)) {
            var client = new SoakClient(name, guarded, history);
            Thread.ofPlatform().daemon().start(client::detectStalls);
            client.runUntilEof(
                    ClientOptions.to(doors).withName(name).withLease(LEASE).withConnectTimeout(Duration.ofMinutes(1)),
                    seed,
                    terminal);
            return ExitCode.OK;
        } catch (IOException failed) {
            throw CommandException.failure(
                    name + " cannot write its history: " + failed.getMessage(), "is the disk full?");
        } catch (InterruptedException interrupted) {
            return ExitCode.FAILURE;
        }
    }

    private void runUntilEof(ClientOptions clientOptions, long seed, Terminal terminal)
            throws IOException, InterruptedException {
        try (var habemus = Habemus.connect(clientOptions)) {
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < THREADS; i++) {
                var random = new Random(seed * THREADS + i);
                threads.add(Thread.ofPlatform().start(() -> useLocks(habemus, random)));
            }
            threads.add(Thread.ofPlatform().start(() -> campaign(habemus.election(ELECTION), new Random(seed))));
            terminal.out().println("ready");
            terminal.flush();
            while (System.in.read() >= 0) {
                // nothing that comes this way has a meaning
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
                } catch (HabemusException notLetIn) {
                    history.write(HistoryEvent.Kind.TIMED_OUT, request.entryAt(System.nanoTime(), 0));
                }
                Thread.sleep(random.nextInt(MAX_THINK_MILLIS));
            }
        } catch (IOException gone) {
            // whoever started this has ended
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is asked for. */
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
        grant.onLost((LossReason why) -> history.write(
                HistoryEvent.Kind.LOST,
                request.entryAt(System.nanoTime(), grant.fence()).withReason(why)));
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
            // it was told
        } catch (OutcomeUnknownException unknown) {
            history.write(HistoryEvent.Kind.UNKNOWN, request.entryAt(System.nanoTime(), grant.fence()));
        }
    }

    /** What was valid after a time was valid at that time. */
    private boolean isValid(Request request, Grant grant) {
        long before = System.nanoTime();
        boolean valid = grant.isValid();
        if (valid) {
            history.write(HistoryEvent.Kind.VALID, request.entryAt(before, grant.fence()));
        }
        return valid;
    }

    /** Again and again, and resigns after a while if it leads. */
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
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes down its reigns. */
    private final class RecordingCandidate implements Candidate {

        private long claim;

        @Override
        public void onElected(long term) {
            claim = requestCounter.incrementAndGet();
            history.write(HistoryEvent.Kind.ELECTED, note(term));
            try (var resource = new ResourceClient(resourceAddress, name)) {
                if (!resource.write(ELECTION, term)) {
                    history.write(HistoryEvent.Kind.STALE_FENCE, note(term));
                }
            } catch (IOException interrupted) {
                // it was deposed meanwhile
            }
        }

        @Override
        public void onDeposed(long term, LossReason reason) {
            history.write(HistoryEvent.Kind.DEPOSED, note(term).withReason(reason));
        }

        private HistoryFile.Entry note(long term) {
            return new HistoryFile.Entry(System.nanoTime(), claim, false, List.of(ELECTION), term, "");
        }
    }

    /** Writes down when the whole process stood still, by whatever reason. */
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
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }
}
