package habemus.harness.bench;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.harness.HarnessException;
import habemus.harness.ProgressListener;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.NodeCommandLine;
import habemus.harness.cluster.NodeSettings;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.site.NamespacedSite;
import habemus.harness.site.NetworkNamespaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Measures how the lock service serves under faults: after kill −9, SIGSTOP and isolation of the leader, with lost
 * packets, and in a ring in which each node hears two neighbours. Clients use the HTTP API, so several builds can be
 * measured in turn. Needs network namespaces.
 *
 * @param builds to measure, in turn in each round
 */
public record ServiceFaultsBenchmark(List<Build> builds) implements Benchmark {

    /** @param name in the table, such as {@code this build} */
    public record Build(String name, NodeCommandLine commandLine) {}

    private static final Duration LEADER_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration FAULT_TIME = Duration.ofSeconds(5);
    private static final Duration LOAD_TIME = Duration.ofSeconds(10);
    private static final int LOST_PERCENT = 20;
    private static final int RING_NODES = 5;
    private static final int NODES = 3;

    /** What happens to the cluster. */
    private enum Scenario {
        KILL("kill −9 of the leader", NODES),
        PAUSE("SIGSTOP of the leader", NODES),
        CUT("leader cut off from all nodes", NODES),
        LOSS(LOST_PERCENT + " % of all packets lost", NODES),
        RING("ring of five, each hears two", RING_NODES);

        private final String title;
        private final int nodes;

        Scenario(String title, int nodes) {
            this.title = title;
            this.nodes = nodes;
        }

        /** Whether the time to service is measured, or else the service during the fault. */
        boolean hasFaultyLeader() {
            return this == KILL || this == PAUSE || this == CUT;
        }
    }

    /** @param seconds of the time to service, or the longest gap; infinite if there was no service */
    private record Row(String build, Scenario scenario, List<Double> seconds, List<Double> cyclesPerSecond) {

        double median(List<Double> values) {
            return values.stream().sorted().toList().get(values.size() / 2);
        }

        double worst() {
            return seconds.stream().max(Comparator.naturalOrder()).orElseThrow();
        }
    }

    @Override
    public String name() {
        return "faults";
    }

    @Override
    public BenchmarkResult run(int rounds, long seed, ProgressListener progress) {
        var rows = new ArrayList<Row>();
        for (Scenario scenario : Scenario.values()) {
            var measured = builds.stream()
                    .map(build -> new Row(build.name, scenario, new ArrayList<>(), new ArrayList<>()))
                    .toList();
            for (int round = 0; round < rounds; round++) {
                for (int i = 0; i < builds.size(); i++) {
                    progress.showText(scenario.title + ", round " + (round + 1) + ", " + builds.get(i).name);
                    measure(builds.get(i), scenario, measured.get(i));
                }
            }
            rows.addAll(measured);
        }
        return new BenchmarkResult(table(rows), json(rows));
    }

    private static void measure(Build build, Scenario scenario, Row row) {
        var folder = temporaryFolder();
        try (var site = new NamespacedSite(scenario.nodes, 0)) {
            var settings = NodeSettings.DEFAULT.withFolders(Optional.of(folder), Optional.empty());
            var processes = new ProcessCluster(scenario.nodes, site, build.commandLine, settings);
            try (var cluster = new ControlledCluster(processes, Optional.of(site)).start();
                    var clients = new HttpLockLoad(cluster)) {
                clients.awaitService(LEADER_TIMEOUT);
                if (scenario.hasFaultyLeader()) {
                    row.seconds.add(timeToService(scenario, cluster, site, clients));
                } else {
                    inject(scenario, site.namespaces());
                    clients.measure(LOAD_TIME, row.seconds::add, row.cyclesPerSecond::add);
                }
            }
        } catch (NamespacedSite.NamespacesUnavailableException unavailable) {
            throw new HarnessException(unavailable.getMessage(), "run as root, and install iproute2 and nftables");
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new HarnessException("the benchmark was interrupted", "let it run to its end");
        } finally {
            delete(folder);
        }
    }

    /** The seconds from the fault to the end of the first cycle that began after it and that another node served. */
    private static double timeToService(
            Scenario scenario, ControlledCluster cluster, NamespacedSite site, HttpLockLoad clients)
            throws InterruptedException {
        int leader = clients.awaitLeader(LEADER_TIMEOUT);
        long start = System.nanoTime();
        switch (scenario) {
            case KILL -> cluster.kill(leader);
            case PAUSE -> cluster.startPause(leader, FAULT_TIME);
            case CUT -> site.namespaces().isolate(leader);
            case LOSS, RING -> throw new IllegalArgumentException(scenario.title);
        }
        return (clients.servedByOthers(leader, System.nanoTime()) - start) / 1e9;
    }

    private static void inject(Scenario scenario, NetworkNamespaces namespaces) {
        if (scenario == Scenario.LOSS) {
            namespaces.dropPackets(LOST_PERCENT);
            return;
        }
        for (int node = 1; node <= RING_NODES; node++) {
            for (int other = 1; other <= RING_NODES; other++) {
                int distance = Math.floorMod(node - other, RING_NODES);
                if (distance > 1 && distance < RING_NODES - 1) {
                    namespaces.cutLink(node, other);
                }
            }
        }
    }

    private static Path temporaryFolder() {
        try {
            return Files.createTempDirectory("habemus-faults");
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void delete(Path folder) {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static String table(List<Row> rows) {
        var text = new StringBuilder();
        text.append("| fault | build | rounds | time to service or longest gap, median | worst | cycles/s, median |\n");
        text.append("|---|---|---|---|---|---|\n");
        for (Row row : rows) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %d | %.2f s | %.2f s | %s |%n",
                    row.scenario.title,
                    row.build,
                    row.seconds.size(),
                    row.median(row.seconds),
                    row.worst(),
                    row.cyclesPerSecond.isEmpty()
                            ? ""
                            : String.format(Locale.ROOT, "%.1f", row.median(row.cyclesPerSecond))));
        }
        text.append(String.format(
                Locale.ROOT,
                "%nProcesses in network namespaces; at each node one HTTP client acquires and releases a lock."
                        + " A leader is paused for %d s; loss and ring are measured for %d s. ",
                FAULT_TIME.toSeconds(),
                LOAD_TIME.toSeconds()));
        return text.append(Benchmark.machine()).toString();
    }

    private static JsonArray json(List<Row> rows) {
        var array = new JsonArray();
        for (Row row : rows) {
            var object = new JsonObject();
            object.addProperty("fault", row.scenario.name().toLowerCase(Locale.ROOT));
            object.addProperty("build", row.build);
            object.add("seconds", numbers(row.seconds));
            object.add("cyclesPerSecond", numbers(row.cyclesPerSecond));
            array.add(object);
        }
        return array;
    }

    private static JsonArray numbers(List<Double> values) {
        var array = new JsonArray();
        values.forEach(array::add);
        return array;
    }
}
