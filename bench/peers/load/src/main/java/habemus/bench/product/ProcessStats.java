package habemus.bench.product;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;

/** What processes take of this machine, as Linux tells in /proc. */
final class ProcessStats {

    private static final double TICKS_PER_SECOND = 100; // a second
    private static final int USER_TIME = 11; // after the name of the program
    private static final int SYSTEM_TIME = 12;
    private static final int[] BUSY = {1, 2, 3, 6, 7, 8}; // user, nice, system, irq, softirq, steal

    private ProcessStats() {}

    /** That these processes have had of the processors, and this one; those that have ended do not count. */
    static double benchmarkCpuSeconds(long... pids) throws IOException {
        double seconds = cpuSeconds(ProcessHandle.current().pid());
        for (long pid : pids) {
            seconds += cpuSeconds(pid);
        }
        return seconds;
    }

    private static double cpuSeconds(long pid) throws IOException {
        var file = Path.of("/proc/" + pid + "/stat");
        if (!Files.exists(file)) {
            return 0;
        }
        var text = Files.readString(file);
        var words = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(words[USER_TIME]) + Long.parseLong(words[SYSTEM_TIME])) / TICKS_PER_SECOND;
    }

    /** That all processes have had. */
    static double machineCpuSeconds() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/stat"))) {
            var words = lines.findFirst().orElseThrow().split(" +", -1);
            return IntStream.of(BUSY).mapToLong(i -> Long.parseLong(words[i])).sum() / TICKS_PER_SECOND;
        }
    }

    /** Resident, in megabytes. */
    static double residentMegabytes(long pid) throws IOException {
        try (var lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .sum()
                    / 1024.0;
        }
    }

    /** What is alive in the heap of a JVM after a full collection, in megabytes; nothing if it is no JVM. */
    static Optional<Double> liveHeapMegabytes(long pid) throws IOException, InterruptedException {
        var jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        var process = new ProcessBuilder(jcmd, Long.toString(pid), "GC.class_histogram")
                .redirectErrorStream(true)
                .start();
        try (var lines = process.inputReader()) {
            var total = lines.lines().filter(line -> line.startsWith("Total")).reduce((first, second) -> second);
            process.waitFor();
            return total.map(line -> Long.parseLong(line.split(" +", -1)[2]) / 1024.0 / 1024.0);
        }
    }
}
