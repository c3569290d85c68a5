package habemus.harness.soak;

import habemus.cli.terminal.CommandException;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.faults.FaultTargets;
import habemus.harness.faults.MajorityTimeline;
import habemus.harness.faults.RandomFaults;
import habemus.harness.faults.RecordedFaultTargets;
import habemus.harness.history.GuardedResource;
import habemus.harness.history.HistoryChecker;
import habemus.harness.history.HistoryFile;
import habemus.harness.site.ClusterSite;
import habemus.harness.site.NamespacedSite;
import habemus.harness.site.PortBlock;
import habemus.service.transport.JGroupsTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The production service under random faults, for long: real nodes and real clients, that are killed, stopped and cut
 * off. From time to time a majority of the nodes is gone. Then what the clients have seen is judged.
 *
 * @param maxOutage how soon it must serve again if a majority is there
 * @param cutsLinks whether wires are cut, if possible
 */
public record LockServiceSoak(int clients, Duration maxOutage, boolean cutsLinks) implements Soak.Target {

    private static final Duration MINORITY_PHASE = Duration.ofSeconds(20); // between two times without a majority
    private static final Duration MIN_MAJORITY_DOWN = Duration.ofMillis(500); // without a majority
    private static final Duration MAX_MAJORITY_DOWN = Duration.ofSeconds(4);
    private static final String LOOPBACK = "127.0.0.1";
    private static final List<RandomFaults.Kind> MAJORITY_FAULTS = // as a majority
            List.of(RandomFaults.Kind.KILL, RandomFaults.Kind.LONG_PAUSE, RandomFaults.Kind.ISOLATION);

    /** How long it took the service to serve, after a majority was back; nothing if it never did. */
    record Recovery(RandomFaults.Kind fault, Optional<Duration> after) {}

    /**
     * What happened besides faults of nodes.
     *
     * @param noPartitionsReason why no wires were cut, if none were
     * @param clientStarts of clients
     * @param gaps in which nobody was served though a majority was there
     */
    record Observations(
            Optional<String> noPartitionsReason,
            Map<RandomFaults.Kind, Integer> clientFaults,
            long clientStarts,
            List<Recovery> recoveries,
            long startNanos,
            List<MajorityTimeline.Gap> gaps) {}

    @Override
    public SoakReport run(Soak soak) throws InterruptedException {
        if (!cutsLinks) {
            return run(soak, Optional.empty(), Optional.of("no wires were cut, as was wished"));
        }
        soak.progressLine().showText("lays wires");
        try (var wires = new NamespacedSite(soak.nodes(), clients)) {
            return run(soak, Optional.of(wires), Optional.empty());
        } catch (NamespacedSite.NamespacesUnavailableException refused) {
            return run(soak, Optional.empty(), Optional.of(refused.getMessage()));
        }
    }

    private SoakReport run(Soak soak, Optional<NamespacedSite> wires, Optional<String> uncut)
            throws InterruptedException {
        soak.progressLine().showText("starts " + soak.nodes() + " nodes and " + clients + " clients");
        ClusterSite clusterSite = wires.isPresent() ? wires.get() : PortBlock.reserve(soak.nodes());
        var processCluster =
                new ProcessCluster(soak.nodes(), clusterSite, List.of(), Map.of("--data", soak.dataFolder()));
        try (var resource = new GuardedResource(
                        wires.map(NamespacedSite::outsideAddress).orElse(LOOPBACK));
                var controlledCluster = new ControlledCluster(processCluster, wires).start();
                var probe = new AvailabilityProbe(controlledCluster.clientAddresses());
                var users = new SoakClients(
                                clients,
                                wires,
                                new SoakClients.Targets(controlledCluster.clientAddresses(), resource.address()),
                                histories(soak),
                                soak.seed())
                        .start()) {
            var execution = new Execution(soak, controlledCluster, users, probe);
            var faultSummary = execution.injectFaults();
            soak.progressLine().showText("judges");
            write(soak.folder().resolve("faults.txt"), execution.majorityTimeline.lines());
            write(soak.folder().resolve("nodes.txt"), execution.nodeLog());
            var history = HistoryFile.readAll(histories(soak));
            var findings = new LockServiceSoakResult(
                    this,
                    execution.observations(uncut),
                    LockServiceSoakResult.EventCounts.of(history, resource.writes()),
                    HistoryChecker.check(history, resource.writes()));
            return new SoakReport(soak, faultSummary, findings);
        }
    }

    private static Path histories(Soak soak) {
        try {
            return Files.createDirectories(soak.folder().resolve("histories"));
        } catch (IOException refused) {
            throw CommandException.failure("cannot write to " + soak.folder(), "give another folder with --record");
        }
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private final class Execution {

        private final Soak soak;
        private final ControlledCluster controlledCluster;
        private final SoakClients clientProcesses;
        private final AvailabilityProbe probe;
        private final long startNanos = System.nanoTime();
        private final MajorityTimeline majorityTimeline;
        private final FaultTargets nodes;
        private final Random random;
        private final RandomFaults clientFaults;
        private final Map<RandomFaults.Kind, Integer> nodeFaults = new EnumMap<>(RandomFaults.Kind.class);
        private final List<Recovery> recoveries = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();
        private long endNanos;

        Execution(Soak soak, ControlledCluster controlledCluster, SoakClients users, AvailabilityProbe probe) {
            this.soak = soak;
            this.controlledCluster = controlledCluster;
            this.clientProcesses = users;
            this.probe = probe;
            majorityTimeline = new MajorityTimeline(soak.nodes(), startNanos);
            nodes = new RecordedFaultTargets(controlledCluster, majorityTimeline);
            random = new Random(soak.seed());
            clientFaults = new RandomFaults(users, Math.max(1, clients / 2), SoakClient.LEASE, soak.seed());
        }

        private Soak.FaultSummary injectFaults() throws InterruptedException {
            clientFaults.start();
            long phase = Math.min(MINORITY_PHASE.toNanos(), soak.duration().toNanos() / 2);
            while (System.nanoTime() - startNanos < soak.duration().toNanos()) {
                runMinorityFaults(System.nanoTime() + phase);
                soak.progressLine().showText("a majority is gone");
                failMajority();
            }
            soak.progressLine().showText("mends everything");
            clientFaults.stop();
            endNanos = System.nanoTime();
            problems.addAll(clientFaults.problems());
            problems.addAll(clientProcesses.stop());
            problems.addAll(controlledCluster.failures());
            return new Soak.FaultSummary(
                    (endNanos - startNanos) / 1e9,
                    nodeFaults,
                    problems.stream().distinct().toList());
        }

        /** What the nodes have said, by the same clock as faults. */
        private List<String> nodeLog() {
            return controlledCluster.logLines().stream()
                    .map(logLine -> String.format(
                            Locale.ROOT,
                            "%.2f s n%d %s",
                            (logLine.atNanos() - startNanos) / 1e9,
                            logLine.node(),
                            logLine.line()))
                    .toList();
        }

        private Observations observations(Optional<String> uncut) {
            return new Observations(
                    uncut,
                    clientFaults.counts(),
                    clientProcesses.starts(),
                    recoveries,
                    startNanos,
                    majorityTimeline.gaps(probe.servedAtNanos(), endNanos));
        }

        private void runMinorityFaults(long until) throws InterruptedException {
            var randomFaults =
                    new RandomFaults(nodes, soak.maxFaulty(), JGroupsTransport.HEARTBEAT_TIMEOUT, random.nextLong());
            randomFaults.start();
            soak.runUntil(startNanos, until, () -> randomFaults.count() + " faults");
            randomFaults.stop();
            randomFaults.counts().forEach((kind, times) -> nodeFaults.merge(kind, times, Integer::sum));
            problems.addAll(randomFaults.problems());
        }

        /** All but too few are killed, or stopped, or cut off. */
        private void failMajority() throws InterruptedException {
            var struck = new ArrayList<>(nodes.nodes());
            Collections.shuffle(struck, random);
            struck.subList(soak.nodes() - soak.nodes() / 2, soak.nodes()).clear();
            var down = Duration.ofMillis(random.nextLong(MIN_MAJORITY_DOWN.toMillis(), MAX_MAJORITY_DOWN.toMillis()));
            var ways = MAJORITY_FAULTS.stream().filter(nodes.kinds()::contains).toList();
            var how = ways.get(recoveries.size() % ways.size());
            if (how == RandomFaults.Kind.KILL) {
                struck.forEach(nodes::kill);
                Thread.sleep(down);
                nodes.restart(struck.removeFirst());
            } else {
                injectTogether(struck, how, down);
                struck.clear();
            }
            long returned = majorityTimeline.healthySince().orElseThrow();
            var served = probe.servedAfter(returned);
            recoveries.add(new Recovery(
                    how,
                    served.isPresent()
                            ? Optional.of(Duration.ofNanos(served.getAsLong() - returned))
                            : Optional.empty()));
            struck.forEach(nodes::restart);
        }

        private void injectTogether(List<Integer> which, RandomFaults.Kind how, Duration down)
                throws InterruptedException {
            var threads = which.stream()
                    .map(node -> Thread.ofVirtual().start(() -> {
                        try {
                            if (how == RandomFaults.Kind.ISOLATION) {
                                nodes.partition(node, how, down, random);
                            } else {
                                nodes.pause(node, down);
                            }
                        } catch (InterruptedException enough) {
                            Thread.currentThread().interrupt();
                        }
                    }))
                    .toList();
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }
}
