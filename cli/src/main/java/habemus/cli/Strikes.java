package habemus.cli;

import habemus.service.net.GroupNet;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Faults that strike a cluster at random: never more than a minority of the nodes at once. */
final class Strikes {

    /** What is done to a node. */
    enum Kind {
        KILL("killed with kill -9, and started again with its data"),
        SHORT_STOP("stopped for a moment"),
        LONG_STOP("stopped for longer than the failure detector waits");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    private static final long SILENCE = GroupNet.SILENCE.toMillis();
    private static final int PAUSE = 2_500; // milliseconds between two faults, at most
    private static final int DOWN = 5_000; // milliseconds that a killed node stays so, at most

    private final Cluster cluster;
    private final Random random;
    private final Set<Integer> struck = new HashSet<>();
    private final List<Thread> menders = new CopyOnWriteArrayList<>();
    private final Map<Kind, Integer> counts = new ConcurrentHashMap<>();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private final Thread thread;

    Strikes(Cluster cluster, long seed) {
        this.cluster = cluster;
        random = new Random(seed);
        thread = Thread.ofVirtual().unstarted(this::run);
    }

    void begin() {
        thread.start();
    }

    /** No more; returns when what was struck is mended. */
    void end() throws InterruptedException {
        thread.interrupt();
        thread.join();
        for (Thread mender : menders) {
            mender.join();
        }
    }

    int count(Kind kind) {
        return counts.getOrDefault(kind, 0);
    }

    int count() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** What could not be mended. */
    List<String> troubles() {
        return List.copyOf(troubles);
    }

    private void run() {
        try {
            while (true) {
                Thread.sleep(random.nextInt(PAUSE));
                strike();
            }
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void strike() {
        var whole =
                cluster.nodes().stream().filter(node -> !struck.contains(node)).toList();
        int minority = (cluster.nodes().size() - 1) / 2;
        int node = whole.get(random.nextInt(whole.size()));
        var kind = Kind.values()[random.nextInt(Kind.values().length)];
        var time = Duration.ofMillis(
                switch (kind) {
                    case KILL -> random.nextInt(DOWN);
                    case SHORT_STOP -> random.nextLong(10, SILENCE / 2);
                    case LONG_STOP -> random.nextLong(SILENCE + SILENCE / 2, 4 * SILENCE);
                });
        if (struck.size() < minority) {
            struck.add(node);
            counts.merge(kind, 1, Integer::sum);
            menders.removeIf(mender -> !mender.isAlive());
            menders.add(Thread.ofVirtual().start(() -> strike(node, kind, time)));
        }
    }

    private void strike(int node, Kind kind, Duration time) {
        try {
            if (kind == Kind.KILL) {
                cluster.kill(node);
                Thread.sleep(time);
                cluster.restart(node);
            } else {
                cluster.pause(node, time);
            }
            mended(node);
        } catch (Refusal failed) {
            troubles.add(failed.message()); // and it stays struck
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void mended(int node) {
        struck.remove(node);
    }
}
