package habemus.cli;

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
final class Strikes {

    /** What is done to one of them. */
    enum Kind {
        KILL("killed with kill -9, and started again with its data"),
        SHORT_STOP("stopped for a moment"),
        LONG_STOP("stopped for longer than the failure detector waits"),
        ISOLATION("cut off from all other nodes"),
        CUT("cut off from one other node"),
        ONE_WAY("cut off from one other node in one direction");

        /** Where there are no wires to cut. */
        static final List<Kind> WITHOUT_WIRES = List.of(KILL, SHORT_STOP, LONG_STOP);

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }
    }

    private static final int PAUSE = 2_500; // milliseconds between two faults, at most
    private static final int DOWN = 5_000; // milliseconds that a killed node stays so, at most

    private final Victims victims;
    private final int atOnce;
    private final long silence;
    private final Random random;
    private final Set<Integer> struck = new HashSet<>();
    private final List<Thread> menders = new CopyOnWriteArrayList<>();
    private final Map<Kind, Integer> counts = new ConcurrentHashMap<>();
    private final List<String> troubles = new CopyOnWriteArrayList<>();
    private final Thread thread;

    /** @param silence after which others give up on one that is stopped */
    Strikes(Victims victims, int atOnce, Duration silence, long seed) {
        this.victims = victims;
        this.atOnce = atOnce;
        this.silence = silence.toMillis();
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

    /** How often what was done. */
    Map<Kind, Integer> counts() {
        var all = new EnumMap<Kind, Integer>(Kind.class);
        victims.kinds().forEach(kind -> all.put(kind, counts.getOrDefault(kind, 0)));
        return all;
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
                victims.nodes().stream().filter(node -> !struck.contains(node)).toList();
        int node = whole.get(random.nextInt(whole.size()));
        var kind = victims.kinds().get(random.nextInt(victims.kinds().size()));
        var time = Duration.ofMillis(
                switch (kind) {
                    case KILL -> random.nextInt(DOWN);
                    case SHORT_STOP -> random.nextLong(10, silence / 2);
                    case LONG_STOP, ISOLATION, CUT, ONE_WAY -> random.nextLong(silence + silence / 2, 4 * silence);
                });
        var draws = new Random(random.nextLong());
        if (struck.size() < atOnce) {
            struck.add(node);
            counts.merge(kind, 1, Integer::sum);
            menders.removeIf(mender -> !mender.isAlive());
            menders.add(Thread.ofVirtual().start(() -> strike(node, kind, time, draws)));
        }
    }

    private void strike(int node, Kind kind, Duration time, Random draws) {
        try {
            switch (kind) {
                case KILL -> {
                    victims.kill(node);
                    Thread.sleep(time);
                    victims.restart(node);
                }
                case SHORT_STOP, LONG_STOP -> victims.pause(node, time);
                case ISOLATION, CUT, ONE_WAY -> victims.cut(node, kind, time, draws);
            }
            mended(node);
        } catch (Refusal failed) {
            troubles.add(failed.message()); // and it stays struck
        } catch (IllegalStateException failed) {
            troubles.add(String.valueOf(failed.getMessage())); // as well
        } catch (InterruptedException enough) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void mended(int node) {
        struck.remove(node);
    }
}
