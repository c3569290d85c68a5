package habemus.bench.product;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the sync calls of the nodes with strace, to see whether grants reach the disk. Empty without strace. */
final class SyncCounter {

    private static final double ATTACH_SECONDS = 1;

    private SyncCounter() {}

    static Map<String, Double> count(
            BenchmarkStep.CountSyncs countSyncs, List<Product.Session> sessions, long[] pids, Path folder)
            throws Exception {
        var files = new ArrayList<Path>();
        var observers = new ArrayList<Process>();
        try {
            for (long pid : pids) {
                files.add(Files.createTempFile(folder, "syncs", ""));
                observers.add(attachStrace(pid, files.getLast()));
            }
        } catch (IOException missing) {
            return Map.of();
        }
        LoadStep.sleep(ATTACH_SECONDS);
        var cycles = new AtomicLong();
        long before = countSyncs(files);
        var loadClients = LoadClients.start(
                sessions,
                false,
                countSyncs.clients(),
                (client, requested, granted, released) -> cycles.incrementAndGet());
        LoadStep.sleep(countSyncs.seconds());
        loadClients.stop();
        boolean attached = observers.stream().allMatch(Process::isAlive);
        for (Process observer : observers) {
            observer.destroy();
            observer.waitFor();
        }
        double calls = countSyncs(files) - before;
        return attached && cycles.get() > 0
                ? Map.of(StepResult.SYNCS_PER_CYCLE, calls / cycles.get() / pids.length)
                : Map.of();
    }

    private static Process attachStrace(long pid, Path file) throws IOException {
        var filter = "trace=fsync,fdatasync,msync,sync_file_range";
        return new ProcessBuilder("strace", "-f", "-qq", "-e", filter, "-o", file.toString(), "-p", Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static long countSyncs(List<Path> files) throws IOException {
        long count = 0;
        for (Path file : files) {
            try (var lines = Files.lines(file)) {
                count += lines.filter(line -> line.contains("sync(") || line.contains("sync_file_range("))
                        .count();
            }
        }
        return count;
    }
}
