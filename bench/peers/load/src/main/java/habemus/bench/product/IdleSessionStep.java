package habemus.bench.product;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Measures memory and log entries of idle sessions. */
final class IdleSessionStep {

    private static final double SETTLING_SECONDS = 5;

    private IdleSessionStep() {}

    /** @param opened receives the opened sessions, also if this fails */
    static Map<String, Double> measure(
            BenchmarkStep.IdleSessions idleSessions, Product product, List<Product.Session> opened, long pid)
            throws Exception {
        for (int i = 0; i < idleSessions.sessions(); i++) {
            opened.add(product.connect());
        }
        LoadStep.sleep(SETTLING_SECONDS);
        var before = product.logEntries();
        long begin = System.nanoTime();
        LoadStep.sleep(idleSessions.seconds());
        var after = product.logEntries();
        double minutes = (System.nanoTime() - begin) / 60e9;
        var values = new HashMap<String, Double>();
        if (before.isPresent() && after.isPresent()) {
            values.put(StepResult.ENTRIES_PER_MINUTE, (after.getAsLong() - before.getAsLong()) / minutes);
        }
        values.put(StepResult.MEMORY_MEGABYTES, ProcessStats.residentMegabytes(pid));
        ProcessStats.liveHeapMegabytes(pid).ifPresent(megabytes -> values.put(StepResult.HEAP_MEGABYTES, megabytes));
        return values;
    }
}
