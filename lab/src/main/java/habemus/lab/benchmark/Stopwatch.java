package habemus.lab.benchmark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;

/** Measures this JVM in laps; the first one begins when the JVM was started. */
final class Stopwatch {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private long wall;
    private long cpu;

    Stopwatch(Instant started) {
        wall = System.nanoTime() - Duration.between(started, Instant.now()).toNanos();
    }

    /** What went by since the last lap. */
    Lap lap() {
        long wallBefore = wall;
        long cpuBefore = cpu;
        wall = System.nanoTime();
        cpu = SYSTEM.getProcessCpuTime();
        return new Lap((wall - wallBefore) / 1e9, (cpu - cpuBefore) / 1e9);
    }
}
