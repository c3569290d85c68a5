package habemus.cli;

import habemus.client.Acquirable;
import habemus.client.Candidate;
import habemus.client.Election;
import habemus.client.Grant;
import habemus.client.Habemus;
import habemus.client.HabemusException;
import habemus.client.LockLost;
import habemus.client.Loss;
import habemus.client.Options;
import habemus.client.OutcomeUnknown;
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
final class SoakClient {

    /** Hidden options of soak: the name of this life, the doors of the service, the resource, and the history. */
    static final String NAME = "--client-name";

    static final String DOORS = "--client-doors";
    static final String RESOURCE = "--client-resource";
    static final String HISTORY = "--client-history";

    static final Duration LEASE = Duration.ofSeconds(2);
    static final List<String> LOCKS = List.of("one", "two", "three");
    static final String BOTH = "read-or-write";
    static final String ELECTION = "leader";

    private static final int THREADS = 3;
    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final int INSIDE = 40; // milliseconds, at most, as the next
    private static final int THINKING = 30;
    private static final int REIGN = 1_500;
    private static final int SELDOM = 40; // one of so many stays for longer than the lease
    private static final Duration BETWEEN = Duration.ofMillis(10); // two writes, or two looks at the clock
    private static final Duration STALL = Duration.ofMillis(50);

    private final String name;
    private final InetSocketAddress guarded; // the resource
    private final SoakHistory history;
    private final AtomicLong claims = new AtomicLong();
    private volatile boolean over;

    private SoakClient(String name, InetSocketAddress guarded, SoakHistory history) {
        this.name = name;
        this.guarded = guarded;
        this.history = history;
    }

    static int run(ParseResult parsed, Terminal terminal) {
        Logs.begin(false);
        var name = Output.text(parsed, NAME).orElseThrow();
        var doors = Output.text(parsed, DOORS).orElseThrow().split(",", -1);
        var guarded = ServeOptions.address(Output.text(parsed, RESOURCE).orElseThrow(), RESOURCE);
        long seed = Output.number(parsed, "--seed", 1);
        try (var history = new SoakHistory(Path.of(Output.text(parsed, HISTORY).orElseThrow()), name)) {
            var client = new SoakClient(name, guarded, history);
            Thread.ofPlatform().daemon().start(client::watchTheClock);
            client.use(Options.to(doors).name(name).lease(LEASE).connectTimeout(Duration.ofMinutes(1)), seed, terminal);
            return ExitCode.DONE;
        } catch (IOException failed) {
            throw Refusal.cannot(name + " cannot write its history: " + failed.getMessage(), "is the disk full?");
        } catch (InterruptedException interrupted) {
            return ExitCode.CANNOT_RUN;
        }
    }

    private void use(Options options, long seed, Terminal terminal) throws IOException, InterruptedException {
        try (var habemus = Habemus.connect(options)) {
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < THREADS; i++) {
                var random = new Random(seed * THREADS + i);
                threads.add(Thread.ofPlatform().start(() -> visit(habemus, random)));
            }
            threads.add(Thread.ofPlatform().start(() -> stand(habemus.election(ELECTION), new Random(seed))));
            terminal.out().println("ready");
            terminal.flush();
            while (System.in.read() >= 0) {
                // nothing that comes this way has a meaning
            }
            over = true;
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    private void visit(Habemus habemus, Random random) {
        try (var resource = new ResourceLine(guarded, name)) {
            while (!over) {
                var claim = claim(habemus, random);
                history.write(Moment.Kind.ASKED, claim.at(System.nanoTime(), 0));
                try {
                    stay(claim, claim.what.acquire(WAIT), random, resource);
                } catch (HabemusException notLetIn) {
                    history.write(Moment.Kind.GIVEN_UP, claim.at(System.nanoTime(), 0));
                }
                Thread.sleep(random.nextInt(THINKING));
            }
        } catch (IOException gone) {
            // whoever started this has ended
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    /** What is asked for. */
    private record Claim(long number, Acquirable what, boolean sharing, List<String> names) {

        private SoakHistory.Note at(long time, long fence) {
            return new SoakHistory.Note(time, number, sharing, names, fence, "");
        }
    }

    private Claim claim(Habemus habemus, Random random) {
        long number = claims.incrementAndGet();
        var lock = LOCKS.get(random.nextInt(LOCKS.size()));
        return switch (random.nextInt(8)) {
            case 0 -> new Claim(number, habemus.multiLock("one", "two"), false, List.of("one", "two"));
            case 1 -> new Claim(number, habemus.multiLock("three", "one"), false, List.of("three", "one"));
            case 2, 3 -> new Claim(number, habemus.readWriteLock(BOTH).read(), true, List.of(BOTH));
            case 4 -> new Claim(number, habemus.readWriteLock(BOTH).write(), false, List.of(BOTH));
            default -> new Claim(number, habemus.lock(lock), false, List.of(lock));
        };
    }

    private void stay(Claim claim, Grant grant, Random random, ResourceLine resource)
            throws IOException, InterruptedException {
        history.write(Moment.Kind.GRANTED, claim.at(System.nanoTime(), grant.fence()));
        grant.onLost((Loss why) -> history.write(
                Moment.Kind.LOST, claim.at(System.nanoTime(), grant.fence()).because(why)));
        long time = random.nextInt(SELDOM) == 0 ? LEASE.toMillis() + INSIDE : random.nextInt(INSIDE);
        long end = System.nanoTime() + time * 1_000_000;
        while (isValid(claim, grant) && System.nanoTime() - end < 0) {
            for (String lock : claim.sharing ? List.<String>of() : claim.names) {
                if (!resource.write(lock, grant.fence())) {
                    history.write(Moment.Kind.FENCED_OFF, claim.at(System.nanoTime(), grant.fence()));
                }
            }
            Thread.sleep(BETWEEN);
        }
        history.write(Moment.Kind.GIVING, claim.at(System.nanoTime(), grant.fence()));
        try {
            grant.release();
            history.write(Moment.Kind.RELEASED, claim.at(System.nanoTime(), grant.fence()));
        } catch (LockLost lost) {
            // it was told
        } catch (OutcomeUnknown unknown) {
            history.write(Moment.Kind.UNKNOWN, claim.at(System.nanoTime(), grant.fence()));
        }
    }

    /** What was valid after a time was valid at that time. */
    private boolean isValid(Claim claim, Grant grant) {
        long before = System.nanoTime();
        boolean valid = grant.isValid();
        if (valid) {
            history.write(Moment.Kind.VALID, claim.at(before, grant.fence()));
        }
        return valid;
    }

    /** Again and again, and resigns after a while if it leads. */
    private void stand(Election election, Random random) {
        try {
            while (!over) {
                election.campaign(new Leading());
                long end = System.nanoTime() + random.nextInt(REIGN) * 1_000_000L;
                while (!over && (System.nanoTime() - end < 0 || !election.isLeader())) {
                    Thread.sleep(BETWEEN);
                }
                election.resign();
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    /** Writes down its reigns. */
    private final class Leading implements Candidate {

        private long claim;

        @Override
        public void onElected(long term) {
            claim = claims.incrementAndGet();
            history.write(Moment.Kind.ELECTED, note(term));
            try (var resource = new ResourceLine(guarded, name)) {
                if (!resource.write(ELECTION, term)) {
                    history.write(Moment.Kind.FENCED_OFF, note(term));
                }
            } catch (IOException interrupted) {
                // it was deposed meanwhile
            }
        }

        @Override
        public void onDeposed(long term, Loss reason) {
            history.write(Moment.Kind.DEPOSED, note(term).because(reason));
        }

        private SoakHistory.Note note(long term) {
            return new SoakHistory.Note(System.nanoTime(), claim, false, List.of(ELECTION), term, "");
        }
    }

    /** Writes down when the whole process stood still, by whatever reason. */
    private void watchTheClock() {
        long last = System.nanoTime();
        try {
            while (true) {
                Thread.sleep(BETWEEN);
                long now = System.nanoTime();
                if (now - last > STALL.toNanos()) {
                    history.write(
                            Moment.Kind.STALLED,
                            new SoakHistory.Note(now, 0, false, List.of(), 0, Long.toString(now - last)));
                }
                last = now;
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }
}
