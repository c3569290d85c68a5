package habemus.bench.product;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** Measures how long clients are not served after kill −9 of the leader. Each client uses its own lock. */
final class FailoverStep {

    private static final double STEADY_SECONDS = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final AtomicLongArray servedAt; // end of each client's first cycle that started after the kill
    private final CountDownLatch unserved;
    private volatile long leaderDeadAt = Long.MAX_VALUE;

    private FailoverStep(int clients) {
        servedAt = new AtomicLongArray(clients);
        unserved = new CountDownLatch(clients);
    }

    /** Empty if the product has no leader. */
    static Map<String, Double> killLeader(
            BenchmarkStep.KillLeader killLeader,
            List<Product.Session> sessions,
            Product product,
            NodeProcesses nodeProcesses)
            throws Exception {
        var leader = product.leader();
        if (leader.isEmpty()) {
            return Map.of();
        }
        var failoverStep = new FailoverStep(killLeader.clients());
        var loadClients = LoadClients.start(sessions, false, killLeader.clients(), failoverStep::onCycle);
        LoadStep.sleep(STEADY_SECONDS);
        long killedAt = System.nanoTime();
        nodeProcesses.kill(leader.getAsInt());
        failoverStep.leaderDeadAt = System.nanoTime();
        boolean all = failoverStep.unserved.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        loadClients.stop();
        if (!all) {
            throw new IllegalStateException("not all clients were served within " + TIMEOUT.toSeconds()
                    + " s after the kill: " + loadClients.lastFailure());
        }
        var times = IntStream.range(0, killLeader.clients())
                .mapToDouble(client -> (failoverStep.servedAt.get(client) - killedAt) / 1e6)
                .summaryStatistics();
        return Map.of(
                StepResult.FIRST_SERVED_MILLIS,
                times.getMin(),
                StepResult.ALL_SERVED_MILLIS,
                times.getMax(),
                StepResult.FAILED_CYCLES,
                (double) loadClients.failed());
    }

    private void onCycle(int client, long requested, long granted, long released) {
        if (requested >= leaderDeadAt && servedAt.compareAndSet(client, 0, released)) {
            unserved.countDown();
        }
    }
}
