package habemus.harness.soak;

import com.google.gson.JsonNull;
import habemus.catalogue.AlgorithmSpec;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.LeaderPoll;
import habemus.harness.cluster.NodeCommandLine;
import habemus.harness.cluster.NodeSettings;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.faults.RandomFaults;
import habemus.harness.site.PortBlock;
import habemus.service.algorithm.AlgorithmNodeConfig;
import habemus.service.trace.RecordedRun;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Runs classic algorithms under random faults. In the end it heals and stops all nodes, replays every recorded step
 * with the pure state machine, and checks the properties of the run.
 *
 * @param locks number of locks
 */
public record AlgorithmSoak(int locks, AlgorithmSpec mutex, AlgorithmSpec election, NodeCommandLine commandLine)
        implements Soak.Target {

    private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(2);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    /** Short, so that a restarted node does not wait long for paused peers. */
    private static final Duration STARTUP_WAIT = Duration.ofSeconds(3);

    /** @param secondsToSettle after the last fault; empty if the cluster did not settle */
    record ClientStats(long entries, long failures, Optional<Double> secondsToSettle) {}

    private record FaultPhase(Soak.FaultSummary faults, ClientStats clients) {}

    @Override
    public SoakReport run(Soak soak) throws InterruptedException {
        var faultPhase = runFaultPhase(soak);
        soak.progress().showText("replaying every step");
        var groups = RecordedRun.read(
                List.of(soak.folder()),
                faultPhase.clients.secondsToSettle.isPresent(),
                AlgorithmSoakResult.GroupResult::of);
        return new SoakReport(soak, faultPhase.faults, new AlgorithmSoakResult(this, faultPhase.clients, groups));
    }

    List<String> lockNames() {
        return IntStream.rangeClosed(1, locks).mapToObj(i -> "lock-" + i).toList();
    }

    private FaultPhase runFaultPhase(Soak soak) throws InterruptedException {
        var settings = NodeSettings.DEFAULT
                .withLockAlgorithm(mutex.text())
                .withElectionAlgorithm(election.text())
                .withStartupWait(STARTUP_WAIT)
                .withFolders(Optional.of(soak.dataFolder()), Optional.of(soak.folder()));
        soak.progress().showText("starting " + soak.nodes() + " processes");
        var processes = new ProcessCluster(soak.nodes(), PortBlock.reserve(soak.nodes()), commandLine, settings);
        try (var cluster = new ControlledCluster(processes).start()) {
            return injectFaults(soak, cluster);
        }
    }

    private FaultPhase injectFaults(Soak soak, ControlledCluster cluster) throws InterruptedException {
        var clients = new LockClients(cluster, lockNames());
        var faults =
                new RandomFaults(cluster, soak.maxFaulty(), AlgorithmNodeConfig.DEFAULT_DETECTION_TIME, soak.seed());
        long start = System.nanoTime();
        clients.start();
        faults.start();
        soak.runUntil(
                start,
                start + soak.duration().toNanos(),
                () -> faults.count() + " faults, " + clients.entries() + " entries");
        soak.progress().showText("healing all faults");
        faults.stop();
        clients.stop();
        double seconds = (System.nanoTime() - start) / 1e9;
        soak.progress().showText("waiting until the cluster settles");
        var secondsToSettle = awaitConvergence(cluster);
        var problems = Stream.concat(faults.problems().stream(), cluster.failures().stream())
                .distinct()
                .toList();
        return new FaultPhase(
                new Soak.FaultSummary(seconds, faults.counts(), problems),
                new ClientStats(clients.entries(), clients.failures(), secondsToSettle));
    }

    /**
     * Waits until every lock was granted at every node, and all nodes name the same leader.
     *
     * @return how many seconds that took; empty on a timeout
     */
    private Optional<Double> awaitConvergence(ControlledCluster cluster) throws InterruptedException {
        long start = System.nanoTime();
        for (int node : cluster.nodes()) {
            for (String lock : lockNames()) {
                while (!LockClients.acquireAndRelease(cluster.httpClient(node), lock)) {
                    if (isTimedOut(start)) {
                        return Optional.empty();
                    }
                    Thread.sleep(POLL_INTERVAL);
                }
            }
        }
        while (!hasAgreedLeader(cluster)) {
            if (isTimedOut(start)) {
                return Optional.empty();
            }
            Thread.sleep(POLL_INTERVAL);
        }
        return Optional.of((System.nanoTime() - start) / 1e9);
    }

    private static boolean isTimedOut(long start) {
        return System.nanoTime() - start > SETTLE_TIMEOUT.toNanos();
    }

    private static boolean hasAgreedLeader(ControlledCluster cluster) {
        try {
            var reply = cluster.httpClient(1).get("/leaders/" + LeaderPoll.ELECTION, Duration.ofSeconds(5));
            return reply.isSuccess()
                    && !(reply.json().get("leader") instanceof JsonNull)
                    && reply.json().getAsJsonArray("announcedBy").size()
                            == cluster.nodes().size();
        } catch (IOException unreachable) {
            return false;
        }
    }
}
