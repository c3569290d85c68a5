package habemus.cli;

import com.google.gson.JsonNull;
import habemus.catalogue.Recipe;
import habemus.service.net.GroupNet;
import habemus.service.record.Recorded;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Real nodes under random faults, for long: then everything is mended, stopped in good order, and what was recorded is
 * taken again and judged.
 *
 * @param folder for the traces; the data of the nodes is in one within it
 */
record Soak(int nodes, int locks, Duration time, long seed, Recipe mutex, Recipe election, Path folder) {

    private static final Duration PATIENCE = Duration.ofMinutes(2); // to settle in the end
    private static final Duration LOOKING = Duration.ofMillis(250); // between two looks
    private static final String GATHER = "3s"; // a node that is started again does not wait for stopped ones for long

    /** How it went, until it was stopped. */
    record Campaign(
            double seconds,
            Map<Strikes.Kind, Integer> faults,
            long entries,
            long disappointments,
            Optional<Double> settled,
            List<String> troubles) {}

    /** @param enough ends it before its time */
    SoakReport run(CountDownLatch enough, Progress progress) {
        var campaign = campaign(enough, progress);
        progress.say("takes every step again, and judges");
        var groups = Recorded.read(folder, campaign.settled().isPresent(), SoakReport.Judged::of);
        progress.clear();
        return new SoakReport(this, campaign, groups);
    }

    List<String> lockNames() {
        return IntStream.rangeClosed(1, locks).mapToObj(i -> "lock-" + i).toList();
    }

    private Campaign campaign(CountDownLatch enough, Progress progress) {
        var options = List.of("--algorithm", mutex.text(), "--election", election.text(), "--gather", GATHER);
        var folders = Map.of("--record", folder, "--data", folder.resolve("data"));
        progress.say("starts " + nodes + " processes");
        try (var cluster = new Cluster(new Fleet(nodes, Ports.find(nodes), options, folders)).up()) {
            return strike(cluster, enough, progress);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw Refusal.cannot("it was interrupted", "let it run to its end");
        }
    }

    private Campaign strike(Cluster cluster, CountDownLatch enough, Progress progress) throws InterruptedException {
        var visitors = new Visitors(cluster, lockNames());
        var strikes = new Strikes(cluster, (nodes - 1) / 2, GroupNet.SILENCE, seed);
        long begun = System.nanoTime();
        visitors.begin();
        strikes.begin();
        while (System.nanoTime() - begun < time.toNanos()) {
            progress.show(
                    strikes.count() + " faults, " + visitors.entries() + " entries",
                    (System.nanoTime() - begun) / 1_000_000_000,
                    time.toSeconds());
            if (enough.await(LOOKING.toMillis(), TimeUnit.MILLISECONDS)) {
                throw Refusal.cannot(
                        "it was ended before its time, and nothing is judged",
                        "habemus replay DIR judges what was recorded with --record DIR");
            }
        }
        progress.say("mends everything");
        strikes.end();
        visitors.end();
        double seconds = (System.nanoTime() - begun) / 1e9;
        progress.say("waits until all is well");
        var settled = settle(cluster);
        var faults = new EnumMap<Strikes.Kind, Integer>(Strikes.Kind.class);
        for (var kind : Strikes.Kind.values()) {
            faults.put(kind, strikes.count(kind));
        }
        return new Campaign(
                seconds,
                faults,
                visitors.entries(),
                visitors.disappointments(),
                settled,
                Stream.concat(strikes.troubles().stream(), cluster.failures().stream())
                        .distinct()
                        .toList());
    }

    /** How many seconds it takes until every lock was taken once more at every node, and all name the same leader. */
    private Optional<Double> settle(Cluster cluster) throws InterruptedException {
        long begun = System.nanoTime();
        for (int node : cluster.nodes()) {
            for (String lock : lockNames()) {
                while (!Visitors.visit(cluster.door(node), lock)) {
                    if (isLate(begun)) {
                        return Optional.empty();
                    }
                    Thread.sleep(LOOKING);
                }
            }
        }
        while (!isAgreed(cluster)) {
            if (isLate(begun)) {
                return Optional.empty();
            }
            Thread.sleep(LOOKING);
        }
        return Optional.of((System.nanoTime() - begun) / 1e9);
    }

    private static boolean isLate(long begun) {
        return System.nanoTime() - begun > PATIENCE.toNanos();
    }

    private static boolean isAgreed(Cluster cluster) {
        try {
            var answer = cluster.door(1).get("/leaders/" + ServeOptions.LEADER, Duration.ofSeconds(5));
            return answer.isDone()
                    && !(answer.json().get("leader") instanceof JsonNull)
                    && answer.json().getAsJsonArray("named").size()
                            == cluster.nodes().size();
        } catch (IOException unreachable) {
            return false;
        }
    }
}
