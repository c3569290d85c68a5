package habemus.bench.peers;

import habemus.bench.product.BenchmarkStep;
import habemus.bench.product.StepResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Starts a JVM with the class path of one product, which executes the benchmark steps. If this process ends, that JVM
 * notices it and stops its nodes.
 *
 * @param root root folder of the repository
 * @param beside root folder of another build of Habemus, whose nodes and client library are measured too
 * @param connections number of connections that the clients share
 */
record ProductJvm(Path root, Optional<Path> beside, int connections) {

    private static final List<String> JVM_OPTIONS =
            List.of("-Xms256m", "-Xmx1g", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    private static final int LOG_TAIL_LINES = 20;

    /**
     * @param listener receives each result
     * @throws IllegalStateException if the product fails; the message has the end of its log
     */
    void run(ProductId product, int nodes, List<BenchmarkStep> benchmarkSteps, Consumer<StepResult> listener)
            throws IOException, InterruptedException {
        var folder = Files.createDirectories(root.resolve("bench/target/peers"));
        var log = folder.resolve(product + ".log");
        var process = new ProcessBuilder(command(product, nodes, folder, benchmarkSteps))
                .redirectError(log.toFile())
                .start();
        var ending = new Thread(() -> stop(process));
        Runtime.getRuntime().addShutdownHook(ending);
        try (var lines = process.inputReader()) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                listener.accept(StepResult.parse(line));
            }
            if (process.waitFor() != 0) {
                throw new IllegalStateException(product + " failed:\n" + logTail(log));
            }
        } finally {
            stop(process);
        }
        Runtime.getRuntime().removeShutdownHook(ending);
    }

    private static void stop(Process process) {
        process.destroy();
        process.onExit().join();
    }

    private List<String> command(ProductId product, int nodes, Path folder, List<BenchmarkStep> benchmarkSteps)
            throws IOException {
        var module = root.resolve("bench/peers").resolve(product.module()).resolve("target");
        var build = product == ProductId.BESIDE ? beside.orElseThrow() : root;
        var library = product == ProductId.BESIDE ? OtherBuild.jar(build) + ":" : ""; // before our own
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.add("-Dhabemus.records=" + (product == ProductId.RECORDING));
        command.addAll(List.of(
                "-cp", module.resolve("classes") + ":" + library + Files.readString(module.resolve("classpath"))));
        command.addAll(List.of(
                product.mainClass(),
                build.toString(),
                folder.resolve(product.toString()).toString()));
        command.addAll(List.of(Integer.toString(nodes), Integer.toString(connections)));
        benchmarkSteps.forEach(step -> command.add(step.format()));
        return command;
    }

    private static String logTail(Path log) throws IOException {
        var lines = Files.readAllLines(log);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LOG_TAIL_LINES), lines.size()));
    }
}
