package habemus.harness.count;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.AlgorithmSpec;
import habemus.harness.HarnessException;
import habemus.harness.cluster.ControlledCluster;
import habemus.harness.cluster.NodeCommandLine;
import habemus.harness.cluster.NodeSettings;
import habemus.harness.cluster.ProcessCluster;
import habemus.harness.site.PortBlock;
import habemus.world.Property;
import habemus.world.World;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Many processes increment one number in a file, with a lock or without.
 *
 * @param workers number of processes
 * @param times how often each increments
 */
public record CounterExperiment(
        int workers, long times, NodeCommandLine nodeCommandLine, WorkerCommandLine workerCommandLine) {

    public static final int NODES = 3;

    /** Builds the command that starts a {@link CountWorker}. The command line implements it, with its own options. */
    @FunctionalInterface
    public interface WorkerCommandLine {

        /** @param node HTTP address of the node that grants the lock; empty to count without a lock */
        List<String> command(Path file, long times, Optional<String> node);
    }

    /**
     * @param algorithm of the lock; empty without a lock
     * @param requested increments of all workers together
     * @param incremented how often the workers say that they have
     * @param counted the number in the file
     */
    public record Result(
            Optional<AlgorithmSpec> algorithm, long requested, long incremented, long counted, double seconds) {

        public String name() {
            return algorithm.map(AlgorithmSpec::text).orElse("no lock");
        }

        public long lost() {
            return incremented - counted;
        }

        /** Whether a worker has waited for the lock in vain. */
        public boolean isStuck() {
            return incremented < requested;
        }

        /** Whether the algorithm has kept its guarantees. Counting without a lock guarantees nothing. */
        public boolean meetsGuarantees() {
            return algorithm.isEmpty() || lost() == 0 && (!isStuck() || !guaranteesProgress(algorithm.get()));
        }

        private static boolean guaranteesProgress(AlgorithmSpec algorithm) {
            return algorithm
                    .algorithm()
                    .guaranteed(algorithm.parameters(), World.of(algorithm.topology(NODES)))
                    .contains(Property.DEADLOCK_FREEDOM);
        }
    }

    /** @param algorithm of the lock; empty to count without a lock */
    public Result run(Optional<AlgorithmSpec> algorithm) {
        if (algorithm.isEmpty()) {
            return count(algorithm, worker -> Optional.empty());
        }
        var settings = NodeSettings.DEFAULT.withLockAlgorithm(algorithm.get().text());
        var processes = new ProcessCluster(NODES, PortBlock.reserve(NODES), nodeCommandLine, settings);
        try (var cluster = new ControlledCluster(processes)) {
            cluster.start();
            return count(algorithm, worker -> Optional.of(cluster.httpAddress(worker % NODES + 1)));
        }
    }

    private interface NodeSelector {
        Optional<String> nodeOf(int worker);
    }

    private Result count(Optional<AlgorithmSpec> algorithm, NodeSelector selector) {
        var processes = new ArrayList<Process>();
        Path file = null;
        try {
            file = Files.createTempFile("habemus", ".count");
            var counter = SharedCounter.create(file);
            var outputs = new ArrayList<BufferedReader>();
            for (int worker = 0; worker < workers; worker++) {
                var process = start(file, selector.nodeOf(worker));
                processes.add(process);
                outputs.add(new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)));
            }
            for (var output : outputs) {
                read(output);
            }
            long start = System.nanoTime();
            for (Process process : processes) {
                process.getOutputStream().write('\n');
                process.getOutputStream().flush();
            }
            long incremented = 0;
            for (var output : outputs) {
                incremented += Long.parseLong(read(output));
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            return new Result(algorithm, workers * times, incremented, counter.read(), seconds);
        } catch (IOException failed) {
            throw new HarnessException(
                    "the workers failed: " + failed, "check whether this machine has memory for " + workers + " JVMs");
        } finally {
            processes.forEach(Process::destroyForcibly);
            delete(file);
        }
    }

    private Process start(Path file, Optional<String> node) throws IOException {
        return new ProcessBuilder(workerCommandLine.command(file, times, node))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String read(BufferedReader output) throws IOException {
        var line = output.readLine();
        if (line == null) {
            throw new IOException("a worker has exited early");
        }
        return line;
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException kept) {
            // a temporary file
        }
    }
}
