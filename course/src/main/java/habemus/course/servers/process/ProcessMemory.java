package habemus.course.servers.process;

import com.google.gson.Gson;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The memory of a server process.
 *
 * @param heapBytes live objects, after a garbage collection
 * @param residentBytes memory of the whole process as the system counts it; zero if the system does not say
 */
public record ProcessMemory(long heapBytes, long residentBytes) {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final int COLLECTIONS = 3; // objects with cleaners need more than one

    /** Collects garbage and measures this process. */
    public static ProcessMemory measure() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        return new ProcessMemory(heap, resident());
    }

    private static long resident() {
        if (!Files.isReadable(STATUS)) {
            return 0;
        }
        try (var lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException unreadable) {
            return 0;
        }
    }

    public String toJson() {
        return new Gson().toJson(this);
    }

    public static ProcessMemory parse(String json) {
        return new Gson().fromJson(json, ProcessMemory.class);
    }

    public ProcessMemory minus(ProcessMemory before) {
        return new ProcessMemory(heapBytes - before.heapBytes, residentBytes - before.residentBytes);
    }
}
