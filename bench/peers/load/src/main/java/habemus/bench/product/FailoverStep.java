package habemus.bench.product;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** How long nobody is served after kill −9 of the leader, while clients want locks of their own all the time. */
final class FailoverStep {

    private static final double STEADY_SECONDS = 2; // seconds before
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final AtomicLongArray servedAt; // when each client first was, of cycles it began after the death
    private final CountDownLatch unserved;
    private volatile long leaderDeadAt = Long.MAX_VALUE;

    private FailoverStep(int clients) {
        servedAt = new AtomicLongArray(clients);
        unserved = new CountDownLatch(clients);
    }

    /** Nothing if nobody leads, or nobody can take its place. */
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
        long struck = System.nanoTime();
        nodeProcesses.kill(leader.getAsInt());
        failoverStep.leaderDeadAt = System.nanoTime();
        boolean all = failoverStep.unserved.await(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        loadClients.stop();
        if (!all) {
            throw new IllegalStateException("not all were served again: " + loadClients.lastFailure());
        }
        var times = IntStream.range(0, killLeader.clients())
                .mapToDouble(client -> (failoverStep.servedAt.get(client) - struck) / 1e6)
                .summaryStatistics();
        return Map.of(
                StepResult.FIRST_SERVED_MILLIS,
                times.getMin(),
                StepResult.ALL_SERVED_MILLIS,
                times.getMax(),
                StepResult.FAILED_CYCLES,
                (double) loadClients.failed());
    }

    private void onCycle(int client, long asked, long granted, long released) {
        if (asked >= leaderDeadAt && servedAt.compareAndSet(client, 0, released)) {
            unserved.countDown();
        }
    }
}
