package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.catalogue.Recipe;
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
record Counting(int workers, long times) {

    static final int NODES = 3;

    /**
     * How it came out.
     *
     * @param recipe the algorithm; nothing if there was no lock
     * @param incremented how often, by what the workers say
     * @param counted what the file says
     */
    record Result(Optional<Recipe> recipe, long asked, long incremented, long counted, double seconds) {

        String name() {
            return recipe.map(Recipe::text).orElse("no lock");
        }

        long lost() {
            return incremented - counted;
        }

        /** Somebody waited in vain. */
        boolean isStuck() {
            return incremented < asked;
        }

        /** Whether it is as the algorithm promises; without one nothing is promised. */
        boolean isFine() {
            return recipe.isEmpty() || lost() == 0 && (!isStuck() || !promisesProgress(recipe.get()));
        }

        private static boolean promisesProgress(Recipe recipe) {
            return recipe.algorithm()
                    .promised(recipe.setting(), World.of(recipe.topology(NODES)))
                    .contains(Property.DEADLOCK_FREEDOM);
        }
    }

    Result run(Optional<Recipe> recipe) {
        if (recipe.isEmpty()) {
            return count(recipe, worker -> Optional.empty());
        }
        var options = List.of("--algorithm", recipe.get().text());
        try (var cluster = new Cluster(new Fleet(NODES, Ports.find(NODES), options, Map.of()))) {
            cluster.up();
            return count(recipe, worker -> Optional.of(cluster.http(worker % NODES + 1)));
        }
    }

    private interface Doors {
        Optional<String> of(int worker);
    }

    private Result count(Optional<Recipe> recipe, Doors doors) {
        var processes = new ArrayList<Process>();
        Path file = null;
        try {
            file = Files.createTempFile("habemus", ".count");
            var counter = Counter.create(file);
            var answers = new ArrayList<BufferedReader>();
            for (int worker = 0; worker < workers; worker++) {
                var process = start(file, doors.of(worker));
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
            return new Result(recipe, workers * times, incremented, counter.read(), seconds);
        } catch (IOException failed) {
            throw Refusal.cannot(
                    "the workers failed: " + failed, "is there enough memory for " + workers + " of them?");
        } finally {
            processes.forEach(Process::destroyForcibly);
            delete(file);
        }
    }

    private Process start(Path file, Optional<String> at) throws IOException {
        var words = Fleet.program();
        words.addAll(List.of("count", "--times", Long.toString(times), CountCommand.WORKER, file.toString()));
        at.ifPresent(address -> words.addAll(List.of(CountCommand.AT, address)));
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
