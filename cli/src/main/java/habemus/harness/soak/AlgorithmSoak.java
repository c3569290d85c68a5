package habemus.harness.soak;

import com.google.gson.JsonNull;
import habemus.catalogue.AlgorithmSpec;
import habemus.cli.serve.ServeOptions;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.faults.RandomFaults;
import habemus.harness.site.PortBlock;
import habemus.service.trace.RecordedRun;
import habemus.service.transport.JGroupsTransport;
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
public record AlgorithmSoak(int locks, AlgorithmSpec mutex, AlgorithmSpec election) implements Soak.Target {

    private static final Duration SETTLE_TIMEOUT = Duration.ofMinutes(2); // to settle in the end
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250); // between two looks
    private static final String STARTUP_WAIT =
            "3s"; // a node that is started again does not wait for stopped ones for long

    /** How it went for the clients. */
    record ClientStats(long entries, long failures, Optional<Double> secondsToSettle) {}

    private record FaultPhase(Soak.FaultSummary faultSummary, ClientStats clientStats) {}

    @Override
    public SoakReport run(Soak soak) throws InterruptedException {
        var faultPhase = runFaultPhase(soak);
        soak.progressLine().showText("takes every step again, and judges");
        var groups = RecordedRun.read(
                soak.folder(), faultPhase.clientStats.secondsToSettle.isPresent(), AlgorithmSoakResult.GroupResult::of);
        return new SoakReport(
                soak, faultPhase.faultSummary, new AlgorithmSoakResult(this, faultPhase.clientStats, groups));
    }

    List<String> lockNames() {
        return IntStream.rangeClosed(1, locks).mapToObj(i -> "lock-" + i).toList();
    }

    private FaultPhase runFaultPhase(Soak soak) throws InterruptedException {
        var options = List.of("--algorithm", mutex.text(), "--election", election.text(), "--gather", STARTUP_WAIT);
        var folders = Map.of("--record", soak.folder(), "--data", soak.dataFolder());
        soak.progressLine().showText("starts " + soak.nodes() + " processes");
        var processCluster = new ProcessCluster(soak.nodes(), PortBlock.reserve(soak.nodes()), options, folders);
        try (var controlledCluster = new ControlledCluster(processCluster).start()) {
            return injectFaults(soak, controlledCluster);
        }
    }

    private FaultPhase injectFaults(Soak soak, ControlledCluster controlledCluster) throws InterruptedException {
        var lockClients = new LockClients(controlledCluster, lockNames());
        var randomFaults =
                new RandomFaults(controlledCluster, soak.maxFaulty(), JGroupsTransport.HEARTBEAT_TIMEOUT, soak.seed());
        long begun = System.nanoTime();
        lockClients.start();
        randomFaults.start();
        soak.runUntil(
                begun,
                begun + soak.duration().toNanos(),
                () -> randomFaults.count() + " faults, " + lockClients.entries() + " entries");
        soak.progressLine().showText("mends everything");
        randomFaults.stop();
        lockClients.stop();
        double seconds = (System.nanoTime() - begun) / 1e9;
        soak.progressLine().showText("waits until all is well");
        var settled = awaitConvergence(controlledCluster);
        var troubles = Stream.concat(randomFaults.problems().stream(), controlledCluster.failures().stream())
                .distinct()
                .toList();
        return new FaultPhase(
                new Soak.FaultSummary(seconds, randomFaults.counts(), troubles),
                new ClientStats(lockClients.entries(), lockClients.failures(), settled));
    }

    /** How many seconds it takes until every lock was taken once more at every node, and all name the same leader. */
    private Optional<Double> awaitConvergence(ControlledCluster controlledCluster) throws InterruptedException {
        long begun = System.nanoTime();
        for (int node : controlledCluster.nodes()) {
            for (String lock : lockNames()) {
                while (!LockClients.acquireAndRelease(controlledCluster.httpClient(node), lock)) {
                    if (isTimedOut(begun)) {
                        return Optional.empty();
                    }
                    Thread.sleep(POLL_INTERVAL);
                }
            }
        }
        while (!isAgreed(controlledCluster)) {
            if (isTimedOut(begun)) {
                return Optional.empty();
            }
            Thread.sleep(POLL_INTERVAL);
        }
        return Optional.of((System.nanoTime() - begun) / 1e9);
    }

    private static boolean isTimedOut(long begun) {
        return System.nanoTime() - begun > SETTLE_TIMEOUT.toNanos();
    }

    private static boolean isAgreed(ControlledCluster controlledCluster) {
        try {
            var answer = controlledCluster
                    .httpClient(1)
                    .get("/leaders/" + ServeOptions.DEFAULT_ELECTION, Duration.ofSeconds(5));
            return answer.isSuccess()
                    && !(answer.json().get("leader") instanceof JsonNull)
                    && answer.json().getAsJsonArray("named").size()
                            == controlledCluster.nodes().size();
        } catch (IOException unreachable) {
            return false;
        }
    }
}
