package habemus.bench.product;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What sessions take that do nothing but live. */
final class IdleSessionStep {

    private static final double SETTLING_SECONDS = 5; // seconds

    private IdleSessionStep() {}

    /** @param opened all that were, also if this fails */
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
        var figures = new HashMap<String, Double>();
        if (before.isPresent() && after.isPresent()) {
            figures.put(StepResult.ENTRIES_PER_MINUTE, (after.getAsLong() - before.getAsLong()) / minutes);
        }
        figures.put(StepResult.MEMORY_MEGABYTES, ProcessStats.residentMegabytes(pid));
        ProcessStats.liveHeapMegabytes(pid).ifPresent(megabytes -> figures.put(StepResult.HEAP_MEGABYTES, megabytes));
        return figures;
    }
}
