package habemus.lab.benchmark;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;

/** Measures wall and CPU time of this JVM in laps. The first lap starts with the JVM. */
final class Stopwatch {

    private static final OperatingSystemMXBean SYSTEM =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    private long wall;
    private long cpu;

    Stopwatch(Instant started) {
        wall = System.nanoTime() - Duration.between(started, Instant.now()).toNanos();
    }

    /** The time since the last lap. */
    Lap lap() {
        long wallBefore = wall;
        long cpuBefore = cpu;
        wall = System.nanoTime();
        cpu = SYSTEM.getProcessCpuTime();
        return new Lap((wall - wallBefore) / 1e9, (cpu - cpuBefore) / 1e9);
    }
}
