package habemus.lab.benchmark;

import habemus.simulate.RunResult;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The result of one benchmark run.
 *
 * @param label what was run
 * @param events number of simulated events
 * @param cpuSeconds CPU time of the simulating thread, which other load disturbs less than wall time
 * @param heapMegabytes peak heap usage, including garbage
 * @param goal the goal; empty if there is none
 * @param remark further results; may be empty
 */
public record Measurement(
        String label, long events, double seconds, double cpuSeconds, long heapMegabytes, String goal, String remark) {

    static Measurement of(String label, String goal, Supplier<RunResult> run, Function<RunResult, String> remark) {
        var threads = ManagementFactory.getThreadMXBean();
        heap().forEach(MemoryPoolMXBean::resetPeakUsage);
        long wallBefore = System.nanoTime();
        long cpuBefore = threads.getCurrentThreadCpuTime();
        var result = run.get();
        double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpuBefore) / 1e9;
        double seconds = (System.nanoTime() - wallBefore) / 1e9;
        long peak = heap().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() >> 20;
        return new Measurement(label, result.steps(), seconds, cpuSeconds, peak, goal, remark.apply(result));
    }

    private static Stream<MemoryPoolMXBean> heap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP);
    }

    public double eventsPerCpuSecond() {
        return events / cpuSeconds;
    }
}
