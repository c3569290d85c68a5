package habemus.bench.product;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;

/** CPU time and memory of processes, from /proc. */
final class ProcessStats {

    private static final double TICKS_PER_SECOND = 100;
    private static final int USER_TIME = 11; // index after the program name
    private static final int SYSTEM_TIME = 12;
    private static final int[] BUSY = {1, 2, 3, 6, 7, 8}; // user, nice, system, irq, softirq, steal

    private ProcessStats() {}

    /** CPU time of these processes and of this one. Ended processes do not count. */
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
        var fields = text.substring(text.lastIndexOf(')') + 2).split(" ", -1);
        return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME])) / TICKS_PER_SECOND;
    }

    /** CPU time of all processes of the machine. */
    static double machineCpuSeconds() throws IOException {
        try (var lines = Files.lines(Path.of("/proc/stat"))) {
            var fields = lines.findFirst().orElseThrow().split(" +", -1);
            return IntStream.of(BUSY).mapToLong(i -> Long.parseLong(fields[i])).sum() / TICKS_PER_SECOND;
        }
    }

    /** Resident memory of a process. */
    static double residentMegabytes(long pid) throws IOException {
        try (var lines = Files.lines(Path.of("/proc/" + pid + "/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .sum()
                    / 1024.0;
        }
    }

    /** The live heap of a JVM after a full collection; empty if the process is not a JVM. */
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
