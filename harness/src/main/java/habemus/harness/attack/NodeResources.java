package habemus.harness.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.harness.HarnessException;
import habemus.harness.cluster.ControlledCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What the process of a node uses.
 *
 * @param files open files and sockets
 * @param heapKb live objects, after a collection
 */
record NodeResources(long files, long threads, long heapKb) {

    private static final long MAX_MORE_FILES = 16; // connections of the honest client and of peers come and go
    private static final long MAX_MORE_THREADS = 16; // pools may grow to their size
    private static final long MAX_MORE_HEAP_KB = 32 << 10;
    private static final Duration SETTLE_TIME = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(250);
    private static final Pattern THREADS = Pattern.compile("Threads:\\s+(\\d+)");
    private static final Pattern USED = Pattern.compile("(?m)^(?!.*(?:Metaspace|class space)).*\\bused (\\d+)K");

    /** Of every node of a cluster, in their order. */
    static List<NodeResources> of(ControlledCluster cluster) throws InterruptedException {
        var all = new ArrayList<NodeResources>();
        for (int node : cluster.nodes()) {
            all.add(of(cluster.pid(node)));
        }
        return all;
    }

    private static NodeResources of(long pid) throws InterruptedException {
        var process = Path.of("/proc", Long.toString(pid));
        try (var files = Files.list(process.resolve("fd"))) {
            var threads = THREADS.matcher(Files.readString(process.resolve("status")));
            return new NodeResources(files.count(), threads.find() ? Long.parseLong(threads.group(1)) : 0, heap(pid));
        } catch (IOException exited) {
            throw new HarnessException("a node has exited during an attack", "check the memory of this machine");
        }
    }

    private static long heap(long pid) throws InterruptedException {
        jcmd(pid, "GC.run");
        return USED.matcher(jcmd(pid, "GC.heap_info"))
                .results()
                .mapToLong(match -> Long.parseLong(match.group(1)))
                .sum();
    }

    private static String jcmd(long pid, String command) throws InterruptedException {
        try {
            var jcmd = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            command)
                    .redirectErrorStream(true)
                    .start();
            var output = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
            jcmd.waitFor();
            return output;
        } catch (IOException failed) {
            throw new HarnessException("cannot run jcmd: " + failed.getMessage(), "check that this is a JDK");
        }
    }

    /** {@return one line for each node that does not return what it used during an attack} */
    static List<String> leaks(ControlledCluster cluster, List<NodeResources> before) throws InterruptedException {
        long end = System.nanoTime() + SETTLE_TIME.toNanos();
        while (true) {
            var leaks = differences(before, of(cluster));
            if (leaks.isEmpty() || System.nanoTime() - end > 0) {
                return leaks;
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    private static List<String> differences(List<NodeResources> before, List<NodeResources> after) {
        var leaks = new ArrayList<String>();
        for (int i = 0; i < before.size(); i++) {
            var was = before.get(i);
            var is = after.get(i);
            if (is.files - was.files > MAX_MORE_FILES
                    || is.threads - was.threads > MAX_MORE_THREADS
                    || is.heapKb - was.heapKb > MAX_MORE_HEAP_KB) {
                leaks.add(AttackRun.format(
                        "n%d has a leak: %d files, %d threads, heap %,d KB; before %d, %d, %,d KB",
                        i + 1, is.files, is.threads, is.heapKb, was.files, was.threads, was.heapKb));
            }
        }
        return leaks;
    }
}
