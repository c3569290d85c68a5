package habemus.lab.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Runs each measurement in its own JVM with the same options, so that none is warm from another. */
public final class ForkedJvm {

    /** The options of all measured JVMs. */
    public static final List<String> JVM_OPTIONS = List.of("-XX:+UseParallelGC", "-XX:MaxRAMPercentage=75");

    /** The arguments of a measured main class: its own, the result file, and the start time of the JVM. */
    public record Arguments(List<String> arguments, Path resultFile, Instant jvmStart) {

        public static Arguments of(String... args) {
            int own = args.length - 2;
            return new Arguments(List.of(args).subList(0, own), Path.of(args[own]), Instant.parse(args[own + 1]));
        }

        public int intAt(int index) {
            return Integer.parseInt(arguments.get(index));
        }
    }

    private ForkedJvm() {}

    /**
     * @param main a class whose main method reads its arguments with {@link Arguments#of} and writes its result with
     *     {@link BenchmarkRounds#write}
     * @throws IllegalStateException if the JVM fails; the message has the end of its output
     */
    public static BenchmarkRounds run(Class<?> main, String... arguments) {
        try {
            var folder = Files.createTempDirectory("habemus-bench");
            try {
                return run(folder, main, List.of(arguments));
            } finally {
                for (String name : List.of("result", "output")) {
                    Files.deleteIfExists(folder.resolve(name));
                }
                Files.delete(folder);
            }
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    private static BenchmarkRounds run(Path folder, Class<?> main, List<String> arguments) throws IOException {
        var result = folder.resolve("result");
        var output = folder.resolve("output");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        command.add(result.toString());
        command.add(Instant.now().toString());
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            if (process.waitFor() != 0) {
                var lines = Files.readAllLines(output);
                var tail = lines.subList(Math.max(0, lines.size() - 20), lines.size());
                throw new IllegalStateException(main.getName() + " failed:\n" + String.join("\n", tail));
            }
            return BenchmarkRounds.read(result);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stop);
        } finally {
            process.destroyForcibly();
        }
    }
}
