package habemus.lab.benchmark;

import habemus.simulate.RunResult;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What a benchmark measured.
 *
 * @param label what was run, in words
 * @param events how many events were handled
 * @param cpuSeconds of the thread that ran it: other work on the machine disturbs them less than seconds
 * @param heapMegabytes the most that was in use, garbage included
 * @param goal what it must reach, in words; empty if nothing is asked of it
 * @param remark what else it showed
 */
public record Measurement(
        String label, long events, double seconds, double cpuSeconds, long heapMegabytes, String goal, String remark) {

    static Measurement of(String what, String goal, Supplier<RunResult> run, Function<RunResult, String> remark) {
        var threads = ManagementFactory.getThreadMXBean();
        heap().forEach(MemoryPoolMXBean::resetPeakUsage);
        long wallBefore = System.nanoTime();
        long cpuBefore = threads.getCurrentThreadCpuTime();
        var runResult = run.get();
        double cpuSeconds = (threads.getCurrentThreadCpuTime() - cpuBefore) / 1e9;
        double seconds = (System.nanoTime() - wallBefore) / 1e9;
        long peak = heap().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum() >> 20;
        return new Measurement(what, runResult.steps(), seconds, cpuSeconds, peak, goal, remark.apply(runResult));
    }

    private static Stream<MemoryPoolMXBean> heap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP);
    }

    public double eventsPerCpuSecond() {
        return events / cpuSeconds;
    }
}
