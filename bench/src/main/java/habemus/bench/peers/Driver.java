package habemus.bench.peers;

import habemus.peers.Answer;
import habemus.peers.Step;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Starts a JVM with the class path of one product, which takes the steps. Should this process end, that one notices,
 * and ends the nodes too.
 *
 * @param root of the repository
 * @param connections that the clients share
 */
record Driver(Path root, int connections) {

    private static final List<String> JVM =
            List.of("-Xms256m", "-Xmx1g", "-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
    private static final int LAST_WORDS = 20; // lines

    /**
     * @param heard is told each answer as it comes
     * @throws IllegalStateException if the product fails, with what it said last
     */
    void run(Product product, int nodes, List<Step> steps, Consumer<Answer> heard)
            throws IOException, InterruptedException {
        var folder = Files.createDirectories(root.resolve("bench/target/peers"));
        var said = folder.resolve(product + ".log");
        var process = new ProcessBuilder(command(product, nodes, folder, steps))
                .redirectError(said.toFile())
                .start();
        var ending = new Thread(() -> end(process));
        Runtime.getRuntime().addShutdownHook(ending);
        try (var lines = process.inputReader()) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                heard.accept(Answer.parse(line));
            }
            if (process.waitFor() != 0) {
                throw new IllegalStateException(product + " failed:\n" + lastWords(said));
            }
        } finally {
            end(process);
        }
        Runtime.getRuntime().removeShutdownHook(ending);
    }

    private static void end(Process process) {
        process.destroy();
        process.onExit().join();
    }

    private List<String> command(Product product, int nodes, Path folder, List<Step> steps) throws IOException {
        var module = root.resolve("bench/peers").resolve(product.toString()).resolve("target");
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM);
        command.addAll(List.of("-cp", module.resolve("classes") + ":" + Files.readString(module.resolve("classpath"))));
        command.addAll(List.of(
                product.main(),
                root.toString(),
                folder.resolve(product.toString()).toString()));
        command.addAll(List.of(Integer.toString(nodes), Integer.toString(connections)));
        steps.forEach(step -> command.add(step.word()));
        return command;
    }

    private static String lastWords(Path said) throws IOException {
        var lines = Files.readAllLines(said);
        return String.join("\n", lines.subList(Math.max(0, lines.size() - LAST_WORDS), lines.size()));
    }
}
