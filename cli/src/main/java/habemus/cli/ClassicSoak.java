package habemus.cli;

import com.google.gson.JsonNull;
import habemus.catalogue.Recipe;
import habemus.service.net.GroupNet;
import habemus.service.record.Recorded;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Algorithms of the catalogue under random faults: then everything is mended, stopped in good order, and what was
 * recorded is taken again and judged.
 */
record ClassicSoak(int locks, Recipe mutex, Recipe election) implements Soak.Kind {

    private static final Duration PATIENCE = Duration.ofMinutes(2); // to settle in the end
    private static final Duration LOOKING = Duration.ofMillis(250); // between two looks
    private static final String GATHER = "3s"; // a node that is started again does not wait for stopped ones for long

    /** How it went for the clients. */
    record Visits(long entries, long disappointments, Optional<Double> settled) {}

    private record Struck(Soak.Course course, Visits visits) {}

    @Override
    public SoakReport run(Soak soak) throws InterruptedException {
        var struck = struck(soak);
        soak.progress().say("takes every step again, and judges");
        var groups = Recorded.read(soak.folder(), struck.visits.settled.isPresent(), ClassicFindings.Judged::of);
        return new SoakReport(soak, struck.course, new ClassicFindings(this, struck.visits, groups));
    }

    List<String> lockNames() {
        return IntStream.rangeClosed(1, locks).mapToObj(i -> "lock-" + i).toList();
    }

    private Struck struck(Soak soak) throws InterruptedException {
        var options = List.of("--algorithm", mutex.text(), "--election", election.text(), "--gather", GATHER);
        var folders = Map.of("--record", soak.folder(), "--data", soak.data());
        soak.progress().say("starts " + soak.nodes() + " processes");
        var fleet = new Fleet(soak.nodes(), Ports.find(soak.nodes()), options, folders);
        try (var cluster = new Cluster(fleet).up()) {
            return strike(soak, cluster);
        }
    }

    private Struck strike(Soak soak, Cluster cluster) throws InterruptedException {
        var visitors = new Visitors(cluster, lockNames());
        var strikes = new Strikes(cluster, soak.minority(), GroupNet.SILENCE, soak.seed());
        long begun = System.nanoTime();
        visitors.begin();
        strikes.begin();
        soak.watch(
                begun,
                begun + soak.time().toNanos(),
                () -> strikes.count() + " faults, " + visitors.entries() + " entries");
        soak.progress().say("mends everything");
        strikes.end();
        visitors.end();
        double seconds = (System.nanoTime() - begun) / 1e9;
        soak.progress().say("waits until all is well");
        var settled = settle(cluster);
        var troubles = Stream.concat(strikes.troubles().stream(), cluster.failures().stream())
                .distinct()
                .toList();
        return new Struck(
                new Soak.Course(seconds, strikes.counts(), troubles),
                new Visits(visitors.entries(), visitors.disappointments(), settled));
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
