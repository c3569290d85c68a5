package habemus.harness.faults;

import habemus.cli.terminal.CommandException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Faults that strike processes at random: never more than so many at once. */
public final class RandomFaults {

    /** What is done to one of them. */
    public enum Kind {
        KILL("killed with kill -9, and started again with its data"),
        SHORT_PAUSE("stopped for a moment"),
        LONG_PAUSE("stopped for longer than the failure detector waits"),
        ISOLATION("cut off from all other nodes"),
        LINK_CUT("cut off from one other node"),
        ONE_WAY_CUT("cut off from one other node in one direction");

        /** Where there are no wires to cut. */
        public static final List<Kind> PROCESS_FAULTS = List.of(KILL, SHORT_PAUSE, LONG_PAUSE);

        private final String description;

        Kind(String words) {
            this.description = words;
        }

        public String description() {
            return description;
        }
    }

    private static final int MAX_INTERVAL_MILLIS = 2_500; // milliseconds between two faults, at most
    private static final int MAX_DOWN_MILLIS = 5_000; // milliseconds that a killed node stays so, at most

    private final FaultTargets faultTargets;
    private final int atOnce;
    private final long detectionMillis;
    private final Random random;
    private final Set<Integer> faulty = new HashSet<>();
    private final List<Thread> faultThreads = new CopyOnWriteArrayList<>();
    private final Map<Kind, Integer> counts = new ConcurrentHashMap<>();
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private final Thread thread;

    /** @param silence after which others give up on one that is stopped */
    public RandomFaults(FaultTargets faultTargets, int atOnce, Duration silence, long seed) {
        this.faultTargets = faultTargets;
        this.atOnce = atOnce;
        this.detectionMillis = silence.toMillis();
        random = new Random(seed);
        thread = Thread.ofVirtual().unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** No more; returns when what was struck is mended. */
    public void stop() throws InterruptedException {
        thread.interrupt();
        thread.join();
        for (Thread mender : faultThreads) {
            mender.join();
        }
    }

    /** How often what was done. */
    public Map<Kind, Integer> counts() {
        var all = new EnumMap<Kind, Integer>(Kind.class);
        faultTargets.kinds().forEach(kind -> all.put(kind, counts.getOrDefault(kind, 0)));
        return all;
    }

    public int count() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** What could not be mended. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(random.nextInt(MAX_INTERVAL_MILLIS));
                inject();
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void inject() {
        var whole = faultTargets.nodes().stream()
                .filter(node -> !faulty.contains(node))
                .toList();
        int node = whole.get(random.nextInt(whole.size()));
        var kind = faultTargets.kinds().get(random.nextInt(faultTargets.kinds().size()));
        var time = Duration.ofMillis(
                switch (kind) {
                    case KILL -> random.nextInt(MAX_DOWN_MILLIS);
                    case SHORT_PAUSE -> random.nextLong(10, detectionMillis / 2);
                    case LONG_PAUSE, ISOLATION, LINK_CUT, ONE_WAY_CUT ->
                        random.nextLong(detectionMillis + detectionMillis / 2, 4 * detectionMillis);
                });
        var draws = new Random(random.nextLong());
        if (faulty.size() < atOnce) {
            faulty.add(node);
            counts.merge(kind, 1, Integer::sum);
            faultThreads.removeIf(mender -> !mender.isAlive());
            faultThreads.add(Thread.ofVirtual().start(() -> inject(node, kind, time, draws)));
        }
    }

    private void inject(int node, Kind kind, Duration time, Random draws) {
        try {
            switch (kind) {
                case KILL -> {
                    faultTargets.kill(node);
                    Thread.sleep(time);
                    faultTargets.restart(node);
                }
                case SHORT_PAUSE, LONG_PAUSE -> faultTargets.pause(node, time);
                case ISOLATION, LINK_CUT, ONE_WAY_CUT -> faultTargets.partition(node, kind, time, draws);
            }
            markHealed(node);
        } catch (CommandException failed) {
            problems.add(failed.message()); // and it stays struck
        } catch (IllegalStateException failed) {
            problems.add(String.valueOf(failed.getMessage())); // as well
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void markHealed(int node) {
        faulty.remove(node);
    }
}
