package habemus.harness.faults;

import habemus.harness.HarnessException;
import habemus.harness.site.LinkCut;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Injects random faults into processes (Jepsen: nemesis), at most a given number at the same time. */
public final class RandomFaults {

    /** A fault of one process. */
    public enum Kind {
        KILL("killed with SIGKILL and restarted with its data"),
        SHORT_PAUSE("paused, and resumed before the failure detector suspects it"),
        LONG_PAUSE("paused for longer than the failure detector waits"),
        ISOLATION("partitioned from all other nodes"),
        LINK_CUT("partitioned from one other node"),
        ONE_WAY_CUT("partitioned from one other node in one direction");

        /** The faults that need no network namespaces. */
        public static final List<Kind> PROCESS_FAULTS = List.of(KILL, SHORT_PAUSE, LONG_PAUSE);

        private final String description;

        Kind(String description) {
            this.description = description;
        }

        public String description() {
            return description;
        }

        /** The links that a partition cuts. */
        public LinkCut linkCut() {
            return switch (this) {
                case ISOLATION -> LinkCut.ALL_NODES;
                case LINK_CUT -> LinkCut.ONE_NODE;
                case ONE_WAY_CUT -> LinkCut.ONE_WAY;
                case KILL, SHORT_PAUSE, LONG_PAUSE ->
                    throw new IllegalArgumentException("the fault must be a partition, was " + this);
            };
        }
    }

    private static final int MAX_INTERVAL_MILLIS = 2_500;
    private static final int MAX_DOWN_MILLIS = 5_000;

    private final FaultTargets targets;
    private final int maxFaulty;
    private final long detectionMillis;
    private final Random random;
    private final Set<Integer> faulty = new HashSet<>();
    private final List<Thread> faultThreads = new CopyOnWriteArrayList<>();
    private final Map<Kind, Integer> counts = new ConcurrentHashMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final Thread thread;

    /**
     * @param maxFaulty how many processes may be faulty at the same time
     * @param detectionTime after which the others suspect a paused process
     */
    public RandomFaults(FaultTargets targets, int maxFaulty, Duration detectionTime, long seed) {
        this.targets = targets;
        this.maxFaulty = maxFaulty;
        detectionMillis = detectionTime.toMillis();
        random = new Random(seed);
        thread = Thread.ofVirtual().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** Stops injecting; returns when all faults are healed. */
    public void stop() throws InterruptedException {
        thread.interrupt();
        thread.join();
        for (Thread faultThread : faultThreads) {
            faultThread.join();
        }
    }

    /** How often each kind was injected. */
    public Map<Kind, Integer> counts() {
        var all = new EnumMap<Kind, Integer>(Kind.class);
        targets.kinds().forEach(kind -> all.put(kind, counts.getOrDefault(kind, 0)));
        return all;
    }

    public int count() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Faults that could not be injected or healed. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(random.nextInt(MAX_INTERVAL_MILLIS));
                inject();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void inject() {
        var healthy =
                targets.nodes().stream().filter(node -> !faulty.contains(node)).toList();
        int node = healthy.get(random.nextInt(healthy.size()));
        var kind = targets.kinds().get(random.nextInt(targets.kinds().size()));
        var time = Duration.ofMillis(
                switch (kind) {
                    case KILL -> random.nextInt(MAX_DOWN_MILLIS);
                    case SHORT_PAUSE -> random.nextLong(10, detectionMillis / 2);
                    case LONG_PAUSE, ISOLATION, LINK_CUT, ONE_WAY_CUT ->
                        random.nextLong(detectionMillis + detectionMillis / 2, 4 * detectionMillis);
                });
        var faultRandom = new Random(random.nextLong());
        if (faulty.size() < maxFaulty) {
            faulty.add(node);
            counts.merge(kind, 1, Integer::sum);
            faultThreads.removeIf(faultThread -> !faultThread.isAlive());
            faultThreads.add(Thread.ofVirtual().start(() -> inject(node, kind, time, faultRandom)));
        }
    }

    private void inject(int node, Kind kind, Duration time, Random faultRandom) {
        try {
            switch (kind) {
                case KILL -> {
                    targets.kill(node);
                    Thread.sleep(time);
                    targets.restart(node);
                }
                case SHORT_PAUSE, LONG_PAUSE -> targets.pause(node, time);
                case ISOLATION, LINK_CUT, ONE_WAY_CUT -> targets.partition(node, kind, time, faultRandom);
            }
            markHealed(node);
        } catch (HarnessException failed) {
            problems.add(failed.message()); // the process stays faulty
        } catch (IllegalStateException failed) {
            problems.add(String.valueOf(failed.getMessage()));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void markHealed(int node) {
        faulty.remove(node);
    }
}
