package habemus.bench.product;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Measures throughput and latency of clients that cycle without pauses. */
final class LoadStep {

    private static final long LONGEST_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;
    private static final double SETTLING_SHARE = 0.3; // of the measured time, before it

    private final Histogram cycles = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
    private final Histogram acquires = new ConcurrentHistogram(LONGEST_NANOS, DIGITS);
    private volatile long begin = Long.MAX_VALUE;
    private volatile long end = Long.MAX_VALUE;

    private LoadStep() {}

    static Map<String, Double> measure(BenchmarkStep.Load load, List<Product.Session> sessions, long... pids)
            throws Exception {
        var loadStep = new LoadStep();
        var loadClients = LoadClients.start(sessions, load.shared(), load.clients(), loadStep::onCycle);
        sleep(load.seconds() * SETTLING_SHARE);
        double ours = ProcessStats.benchmarkCpuSeconds(pids);
        double all = ProcessStats.machineCpuSeconds();
        long failed = loadClients.failed();
        long begin = System.nanoTime();
        loadStep.begin = begin;
        sleep(load.seconds());
        long end = System.nanoTime();
        loadStep.end = end;
        ours = ProcessStats.benchmarkCpuSeconds(pids) - ours;
        all = ProcessStats.machineCpuSeconds() - all;
        failed = loadClients.failed() - failed;
        loadClients.stop();
        if (failed > 0 || loadStep.cycles.getTotalCount() == 0) {
            System.err.println("failed cycles=" + failed + " last=" + loadClients.lastFailure());
        }
        double seconds = (end - begin) / 1e9;
        var values = new HashMap<String, Double>();
        loadStep.addLatencies(seconds, values);
        values.put(StepResult.CPU_MICROS_PER_CYCLE, 1e6 * ours / Math.max(1, loadStep.cycles.getTotalCount()));
        values.put(
                StepResult.FOREIGN_CPU_SHARE,
                Math.max(0, all - ours) / seconds / Runtime.getRuntime().availableProcessors());
        values.put(StepResult.FAILED_CYCLES, (double) failed);
        values.put(StepResult.OVERLAPS, (double) loadClients.overlaps());
        return values;
    }

    private void onCycle(int client, long requested, long granted, long released) {
        if (released >= begin && released <= end) {
            cycles.recordValue(Math.min(LONGEST_NANOS, released - requested));
            acquires.recordValue(Math.min(LONGEST_NANOS, granted - requested));
        }
    }

    private void addLatencies(double seconds, Map<String, Double> values) {
        values.put(StepResult.CYCLES_PER_SECOND, cycles.getTotalCount() / seconds);
        values.put(StepResult.CYCLE_P50_MICROS, cycles.getValueAtPercentile(50) / 1e3);
        values.put(StepResult.CYCLE_P99_MICROS, cycles.getValueAtPercentile(99) / 1e3);
        values.put(StepResult.ACQUIRE_P50_MICROS, acquires.getValueAtPercentile(50) / 1e3);
    }

    static void sleep(double seconds) throws InterruptedException {
        Thread.sleep((long) (1000 * seconds));
    }
}
