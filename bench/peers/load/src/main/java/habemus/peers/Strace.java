package habemus.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** How often the nodes sync to disk: who keeps what it grants, in fact. Nothing if there is no strace here. */
final class Strace {

    private static final double ATTACHING = 1; // seconds

    private Strace() {}

    static Map<String, Double> count(Step.Syncs syncs, List<Peer.Session> sessions, long[] pids, Path folder)
            throws Exception {
        var files = new ArrayList<Path>();
        var observers = new ArrayList<Process>();
        try {
            for (long pid : pids) {
                files.add(Files.createTempFile(folder, "syncs", ""));
                observers.add(observe(pid, files.getLast()));
            }
        } catch (IOException missing) {
            return Map.of();
        }
        Loads.sleep(ATTACHING);
        var cycles = new AtomicLong();
        long before = lines(files);
        var clients = Clients.start(
                sessions, false, syncs.clients(), (client, asked, granted, released) -> cycles.incrementAndGet());
        Loads.sleep(syncs.seconds());
        clients.end();
        boolean attached = observers.stream().allMatch(Process::isAlive);
        for (Process observer : observers) {
            observer.destroy();
            observer.waitFor();
        }
        double calls = lines(files) - before;
        return attached && cycles.get() > 0 ? Map.of(Answer.SYNCS, calls / cycles.get() / pids.length) : Map.of();
    }

    private static Process observe(long pid, Path file) throws IOException {
        var what = "trace=fsync,fdatasync,msync,sync_file_range";
        return new ProcessBuilder("strace", "-f", "-qq", "-e", what, "-o", file.toString(), "-p", Long.toString(pid))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static long lines(List<Path> files) throws IOException {
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
