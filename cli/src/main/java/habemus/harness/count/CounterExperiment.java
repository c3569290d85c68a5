package habemus.harness.count;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.AlgorithmSpec;
import habemus.cli.bench.CountCommand;
import habemus.cli.terminal.CommandException;
import habemus.harness.cluster.ControlledCluster;
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
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Many processes increment one number, with a lock or without. */
public record CounterExperiment(int workers, long times) {

    public static final int NODES = 3;

    /**
     * How it came out.
     *
     * @param algorithmSpec the algorithm; nothing if there was no lock
     * @param incremented how often, by what the workers say
     * @param counted what the file says
     */
    public record Result(
            Optional<AlgorithmSpec> algorithmSpec, long requested, long incremented, long counted, double seconds) {

        public String name() {
            return algorithmSpec.map(AlgorithmSpec::text).orElse("no lock");
        }

        public long lost() {
            return incremented - counted;
        }

        /** Somebody waited in vain. */
        public boolean isStuck() {
            return incremented < requested;
        }

        /** Whether it is as the algorithm promises; without one nothing is promised. */
        public boolean meetsGuarantees() {
            return algorithmSpec.isEmpty() || lost() == 0 && (!isStuck() || !guaranteesProgress(algorithmSpec.get()));
        }

        private static boolean guaranteesProgress(AlgorithmSpec algorithmSpec) {
            return algorithmSpec
                    .algorithm()
                    .guaranteed(algorithmSpec.parameters(), World.of(algorithmSpec.topology(NODES)))
                    .contains(Property.DEADLOCK_FREEDOM);
        }
    }

    public Result run(Optional<AlgorithmSpec> algorithmSpec) {
        if (algorithmSpec.isEmpty()) {
            return count(algorithmSpec, worker -> Optional.empty());
        }
        var options = List.of("--algorithm", algorithmSpec.get().text());
        try (var controlledCluster =
                new ControlledCluster(new ProcessCluster(NODES, PortBlock.reserve(NODES), options, Map.of()))) {
            controlledCluster.start();
            return count(algorithmSpec, worker -> Optional.of(controlledCluster.httpAddress(worker % NODES + 1)));
        }
    }

    private interface NodeSelector {
        Optional<String> of(int worker);
    }

    private Result count(Optional<AlgorithmSpec> algorithmSpec, NodeSelector nodeSelector) {
        var processes = new ArrayList<Process>();
        Path file = null;
        try {
            file = Files.createTempFile("habemus", ".count");
            var sharedCounter = SharedCounter.create(file);
            var answers = new ArrayList<BufferedReader>();
            for (int worker = 0; worker < workers; worker++) {
                var process = start(file, nodeSelector.of(worker));
                processes.add(process);
                answers.add(new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8)));
            }
            for (var answer : answers) {
                read(answer);
            }
            long begun = System.nanoTime();
            for (Process process : processes) {
                process.getOutputStream().write('\n');
                process.getOutputStream().flush();
            }
            long incremented = 0;
            for (var answer : answers) {
                incremented += Long.parseLong(read(answer));
            }
            double seconds = (System.nanoTime() - begun) / 1e9;
            return new Result(algorithmSpec, workers * times, incremented, sharedCounter.read(), seconds);
        } catch (IOException failed) {
            throw CommandException.failure(
                    "the workers failed: " + failed, "is there enough memory for " + workers + " of them?");
        } finally {
            processes.forEach(Process::destroyForcibly);
            delete(file);
        }
    }

    private Process start(Path file, Optional<String> at) throws IOException {
        var words = ProcessCluster.programCommand();
        words.addAll(List.of("count", "--times", Long.toString(times), CountCommand.WORKER_OPTION, file.toString()));
        at.ifPresent(address -> words.addAll(List.of(CountCommand.NODE_OPTION, address)));
        return new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String read(BufferedReader answer) throws IOException {
        var line = answer.readLine();
        if (line == null) {
            throw new IOException("one of them has ended early");
        }
        return line;
    }

    private static void delete(@Nullable Path file) {
        try {
            if (file != null) {
                Files.deleteIfExists(file);
            }
        } catch (IOException kept) {
            // it is in the folder for temporary files
        }
    }
}
