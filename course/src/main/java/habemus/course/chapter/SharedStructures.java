package habemus.course.chapter;

import java.lang.Thread.State;
import java.time.Duration;
import java.util.Collections;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** A map for one thread loses entries of two. Each call of a thread-safe one is atomic, but two calls are not. */
final class SharedStructures implements Demonstration {

    private static final int ENTRIES = 20_000;
    private static final int ROUNDS_MAX = 200;
    private static final int INCREMENTS = 10_000;
    private static final Duration ENDLESS = Duration.ofSeconds(5);

    @Override
    public String name() {
        return "structures";
    }

    @Override
    public String claim() {
        return "A HashMap loses entries of two threads; thread-safe maps keep them.";
    }

    @Override
    public List<Observation> run() throws InterruptedException {
        return List.of(
                lostEntries(),
                keptEntries("ConcurrentHashMap", new ConcurrentHashMap<>()),
                keptEntries("Collections.synchronizedMap", Collections.synchronizedMap(new HashMap<>())),
                twoCalls(),
                oneCall(),
                iteration("a HashMap fails if another thread changes it", new HashMap<>(), true),
                iteration(
                        "a synchronizedMap fails as well, because it is many calls",
                        Collections.synchronizedMap(new HashMap<>()),
                        true),
                iteration("a ConcurrentHashMap goes on", new ConcurrentHashMap<>(), false),
                fullQueue());
    }

    /** Two threads put entries with different keys, again and again until one is lost. */
    private static Observation lostEntries() throws InterruptedException {
        int rounds = 0;
        int lost = 0;
        while (lost == 0 && rounds < ROUNDS_MAX) {
            rounds++;
            lost = putByTwoThreads(new HashMap<>());
        }
        return Observation.ifSeen(
                "a HashMap loses entries if two threads put",
                "lost " + lost + " of " + 2 * ENTRIES + " entries in round " + rounds,
                lost > 0);
    }

    private static Observation keptEntries(String kind, Map<Integer, Integer> map) throws InterruptedException {
        int lost = putByTwoThreads(map);
        return Observation.of(
                kind + " keeps all entries", "lost " + lost + " of " + 2 * ENTRIES + " entries", lost == 0);
    }

    /** @return how many entries are missing afterwards */
    private static int putByTwoThreads(Map<Integer, Integer> map) throws InterruptedException {
        var bothRun = new CountDownLatch(2);
        var first = Thread.ofPlatform().daemon().start(() -> putAll(map, 0, bothRun));
        var second = Thread.ofPlatform().daemon().start(() -> putAll(map, ENTRIES, bothRun));
        first.join(ENDLESS);
        second.join(ENDLESS);
        return (int) IntStream.range(0, 2 * ENTRIES)
                .filter(key -> !map.containsKey(key))
                .count();
    }

    private static void putAll(Map<Integer, Integer> map, int from, CountDownLatch bothRun) {
        bothRun.countDown();
        Latches.await(bothRun);
        IntStream.range(from, from + ENTRIES).forEach(key -> map.put(key, key));
    }

    /** Both threads read before either writes. */
    private static Observation twoCalls() throws InterruptedException {
        var map = Collections.synchronizedMap(new HashMap<>(Map.of("hits", 0)));
        var bothRead = new CountDownLatch(2);
        runTwice(() -> {
            int value = map.getOrDefault("hits", 0);
            bothRead.countDown();
            Latches.await(bothRead);
            map.put("hits", value + 1);
        });
        return Observation.of(
                "get and put are two steps, in every map",
                "2 threads increment 0 to " + map.get("hits"),
                Integer.valueOf(1).equals(map.get("hits")));
    }

    private static Observation oneCall() throws InterruptedException {
        var map = new ConcurrentHashMap<>(Map.of("hits", 0));
        runTwice(() -> {
            for (int i = 0; i < INCREMENTS; i++) {
                map.merge("hits", 1, Integer::sum);
            }
        });
        return Observation.of(
                "merge of a ConcurrentHashMap is one step",
                "2 × " + INCREMENTS + " increments give " + map.get("hits"),
                Integer.valueOf(2 * INCREMENTS).equals(map.get("hits")));
    }

    private static Observation iteration(String claim, Map<Integer, Integer> map, boolean fails)
            throws InterruptedException {
        IntStream.range(0, 10).forEach(key -> map.put(key, key));
        int visited = 0;
        try {
            for (int key : map.keySet()) {
                if (key == 0) {
                    Thread.ofPlatform().start(() -> map.put(10, 10)).join();
                }
                visited++;
            }
            return Observation.of("iteration over " + claim, visited + " keys visited, no exception", !fails);
        } catch (ConcurrentModificationException changed) {
            var exception = changed.getClass().getSimpleName();
            return Observation.of("iteration over " + claim, visited + " key visited, then " + exception, fails);
        }
    }

    private static Observation fullQueue() throws InterruptedException {
        var queue = new ArrayBlockingQueue<Integer>(2);
        var producer = Thread.ofPlatform().start(() -> {
            try {
                for (int i = 0; i < 3; i++) {
                    queue.put(i);
                }
            } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
            }
        });
        var full = BoundedWait.forState(producer, State.WAITING);
        int taken = queue.take();
        var after = BoundedWait.forState(producer, State.TERMINATED);
        return Observation.of(
                "a bounded queue lets its producer wait until a consumer takes an element",
                "producer of 3 into 2 places: " + full + "; after take of " + taken + ": " + after,
                full == State.WAITING && after == State.TERMINATED);
    }

    private static void runTwice(Runnable task) throws InterruptedException {
        var first = Thread.ofPlatform().start(task);
        var second = Thread.ofPlatform().start(task);
        first.join();
        second.join();
    }
}
