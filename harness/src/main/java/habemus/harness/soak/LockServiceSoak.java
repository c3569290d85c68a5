package habemus.harness.soak;

import habemus.harness.HarnessException;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.NodeCommandLine;
import habemus.harness.cluster.NodeSettings;
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
import habemus.service.recording.ClusterRecording;
import habemus.service.recording.RecordingValidator;
import habemus.service.recording.ValidationResult;
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
 * Runs the lock service under random faults: kills, pauses and partitions real nodes and clients. From time to time
 * a majority of the nodes fails. In the end it checks the histories of the clients.
 *
 * @param clients number of client processes
 * @param maxOutage how long the service may serve nothing while a majority is healthy
 * @param cutsLinks whether to cut links, if this machine can
 * @param recordsSteps whether the nodes record their steps, which are validated in the end
 */
public record LockServiceSoak(
        int clients, Duration maxOutage, boolean cutsLinks, boolean recordsSteps, CommandLines commandLines)
        implements Soak.Target {

    private static final Duration MINORITY_PHASE = Duration.ofSeconds(20); // between two failures of a majority
    private static final Duration MIN_MAJORITY_DOWN = Duration.ofMillis(500);
    private static final Duration MAX_MAJORITY_DOWN = Duration.ofSeconds(4);
    private static final Duration DETECTION_TIME = Duration.ofMillis(2_500); // longer than any election timeout
    private static final String LOOPBACK = "127.0.0.1";
    private static final List<RandomFaults.Kind> MAJORITY_FAULTS =
            List.of(RandomFaults.Kind.KILL, RandomFaults.Kind.LONG_PAUSE, RandomFaults.Kind.ISOLATION);

    /** How to start the processes. */
    public record CommandLines(NodeCommandLine node, SoakClient.CommandLine client) {}

    /**
     * @param fault of a majority of the nodes
     * @param after how long after the majority was healthy again the service served; empty if it never did
     */
    record Recovery(RandomFaults.Kind fault, Optional<Duration> after) {}

    /**
     * Everything but the faults of nodes.
     *
     * @param noPartitionsReason why no links were cut; empty if links were cut
     * @param clientStarts number of client processes that were started
     * @param startNanos of the soak, on {@link System#nanoTime}
     * @param gaps in which nothing was served although a majority was healthy
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
            return run(soak, Optional.empty(), Optional.of("no links were cut, by option"));
        }
        soak.progress().showText("creating network namespaces");
        try (var site = new NamespacedSite(soak.nodes(), clients)) {
            return run(soak, Optional.of(site), Optional.empty());
        } catch (NamespacedSite.NamespacesUnavailableException unavailable) {
            return run(soak, Optional.empty(), Optional.of(unavailable.getMessage()));
        }
    }

    private SoakReport run(Soak soak, Optional<NamespacedSite> namespaces, Optional<String> noPartitionsReason)
            throws InterruptedException {
        soak.progress().showText("starting " + soak.nodes() + " nodes and " + clients + " clients");
        ClusterSite site = namespaces.isPresent() ? namespaces.get() : PortBlock.reserve(soak.nodes());
        var settings = NodeSettings.DEFAULT.withFolders(
                Optional.of(soak.dataFolder()), recordsSteps ? Optional.of(soak.folder()) : Optional.empty());
        var processes = new ProcessCluster(soak.nodes(), site, commandLines.node(), settings);
        Soak.FaultSummary faults;
        LockServiceSoakResult result;
        try (var resource = new GuardedResource(
                        namespaces.map(NamespacedSite::outsideAddress).orElse(LOOPBACK));
                var cluster = new ControlledCluster(processes, namespaces).start();
                var probe = new AvailabilityProbe(cluster.clientAddresses());
                var clientProcesses = new SoakClients(
                                clients,
                                namespaces,
                                new SoakClients.Environment(
                                        cluster.clientAddresses(), resource.address(), histories(soak)),
                                commandLines.client(),
                                soak.seed())
                        .start()) {
            var execution = new Execution(soak, cluster, clientProcesses, probe);
            faults = execution.injectFaults();
            soak.progress().showText("checking the histories");
            write(soak.folder().resolve("faults.txt"), execution.timeline.lines());
            write(soak.folder().resolve("nodes.txt"), execution.nodeLog());
            var history = HistoryFile.readAll(histories(soak));
            result = new LockServiceSoakResult(
                    this,
                    execution.observations(noPartitionsReason),
                    LockServiceSoakResult.EventCounts.of(history, resource.writes()),
                    HistoryChecker.check(history, resource.writes()),
                    Optional.empty());
        }
        return new SoakReport(soak, faults, recordsSteps ? result.withRecording(validateSteps(soak)) : result);
    }

    /** Re-executes the steps of all nodes. They have stopped, so their recordings are complete. */
    private static ValidationResult validateSteps(Soak soak) {
        var recording = ClusterRecording.in(List.of(soak.folder())).getFirst();
        return RecordingValidator.validate(
                recording, (read, total) -> soak.progress().show("re-executed", read, total));
    }

    private static Path histories(Soak soak) {
        try {
            return Files.createDirectories(soak.folder().resolve("histories"));
        } catch (IOException failed) {
            throw new HarnessException(
                    "cannot write to folder " + soak.folder() + ": " + failed.getMessage(),
                    "choose another folder with --record");
        }
    }

    private static void write(Path file, List<String> lines) {
        try {
            Files.write(file, lines);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** One run of the soak. */
    private final class Execution {

        private final Soak soak;
        private final ControlledCluster cluster;
        private final SoakClients clientProcesses;
        private final AvailabilityProbe probe;
        private final long startNanos = System.nanoTime();
        private final MajorityTimeline timeline;
        private final FaultTargets nodes;
        private final Random random;
        private final RandomFaults clientFaults;
        private final Map<RandomFaults.Kind, Integer> nodeFaults = new EnumMap<>(RandomFaults.Kind.class);
        private final List<Recovery> recoveries = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();
        private long endNanos;

        Execution(Soak soak, ControlledCluster cluster, SoakClients clientProcesses, AvailabilityProbe probe) {
            this.soak = soak;
            this.cluster = cluster;
            this.clientProcesses = clientProcesses;
            this.probe = probe;
            timeline = new MajorityTimeline(soak.nodes(), startNanos);
            nodes = new RecordedFaultTargets(cluster, timeline);
            random = new Random(soak.seed());
            clientFaults = new RandomFaults(clientProcesses, Math.max(1, clients / 2), SoakClient.LEASE, soak.seed());
        }

        private Soak.FaultSummary injectFaults() throws InterruptedException {
            clientFaults.start();
            long phase = Math.min(MINORITY_PHASE.toNanos(), soak.duration().toNanos() / 2);
            while (System.nanoTime() - startNanos < soak.duration().toNanos()) {
                runMinorityFaults(System.nanoTime() + phase);
                soak.progress().showText("a majority is down");
                failMajority();
            }
            soak.progress().showText("healing all faults");
            clientFaults.stop();
            endNanos = System.nanoTime();
            problems.addAll(clientFaults.problems());
            problems.addAll(clientProcesses.stop());
            problems.addAll(cluster.failures());
            return new Soak.FaultSummary(
                    (endNanos - startNanos) / 1e9,
                    nodeFaults,
                    problems.stream().distinct().toList());
        }

        /** The log lines of the nodes, with times relative to the start as in the list of faults. */
        private List<String> nodeLog() {
            return cluster.logLines().stream()
                    .map(logLine -> String.format(
                            Locale.ROOT,
                            "%.2f s n%d %s",
                            (logLine.atNanos() - startNanos) / 1e9,
                            logLine.node(),
                            logLine.line()))
                    .toList();
        }

        private Observations observations(Optional<String> noPartitionsReason) {
            return new Observations(
                    noPartitionsReason,
                    clientFaults.counts(),
                    clientProcesses.starts(),
                    recoveries,
                    startNanos,
                    timeline.gaps(probe.servedAtNanos(), endNanos));
        }

        private void runMinorityFaults(long until) throws InterruptedException {
            var faults = new RandomFaults(nodes, soak.maxFaulty(), DETECTION_TIME, random.nextLong());
            faults.start();
            soak.runUntil(startNanos, until, () -> faults.count() + " faults");
            faults.stop();
            faults.counts().forEach((kind, times) -> nodeFaults.merge(kind, times, Integer::sum));
            problems.addAll(faults.problems());
        }

        /** Kills, pauses or partitions the smallest majority, and waits until the service serves again. */
        private void failMajority() throws InterruptedException {
            var failed = new ArrayList<>(nodes.nodes());
            Collections.shuffle(failed, random);
            failed.subList(soak.nodes() - soak.nodes() / 2, soak.nodes()).clear();
            var down = Duration.ofMillis(random.nextLong(MIN_MAJORITY_DOWN.toMillis(), MAX_MAJORITY_DOWN.toMillis()));
            var kinds = MAJORITY_FAULTS.stream().filter(nodes.kinds()::contains).toList();
            var kind = kinds.get(recoveries.size() % kinds.size());
            if (kind == RandomFaults.Kind.KILL) {
                failed.forEach(nodes::kill);
                Thread.sleep(down);
                nodes.restart(failed.removeFirst());
            } else {
                injectTogether(failed, kind, down);
                failed.clear();
            }
            long healthySince = timeline.healthySince().orElseThrow();
            var served = probe.servedAfter(healthySince);
            recoveries.add(new Recovery(
                    kind,
                    served.isPresent()
                            ? Optional.of(Duration.ofNanos(served.getAsLong() - healthySince))
                            : Optional.empty()));
            failed.forEach(nodes::restart);
        }

        private void injectTogether(List<Integer> targets, RandomFaults.Kind kind, Duration down)
                throws InterruptedException {
            var threads = targets.stream()
                    .map(node -> Thread.ofVirtual().start(() -> {
                        try {
                            if (kind == RandomFaults.Kind.ISOLATION) {
                                nodes.partition(node, kind, down, random);
                            } else {
                                nodes.pause(node, down);
                            }
                        } catch (InterruptedException stop) {
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
