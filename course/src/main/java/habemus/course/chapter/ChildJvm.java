package habemus.course.chapter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Starts a class of this program in a JVM of its own, and waits for its end. */
final class ChildJvm {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    /**
     * What is left of a child that ended.
     *
     * @param lines what it printed
     */
    record Exit(int code, List<String> lines, Duration duration) {}

    private ChildJvm() {}

    static Exit run(Class<?> main, String... arguments) throws InterruptedException {
        return runWith(List.of(), main, arguments);
    }

    /**
     * @param launcher a program that starts the JVM, with its own arguments; empty for none
     * @throws IllegalStateException if the child does not end
     */
    static Exit runWith(List<String> launcher, Class<?> main, String... arguments) throws InterruptedException {
        var command = new ArrayList<>(launcher);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xshare:auto", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        long start = System.nanoTime();
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            try {
                if (!process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)) {
                    throw new IllegalStateException(main.getName() + " still runs after " + TIMEOUT);
                }
                var duration = Duration.ofNanos(System.nanoTime() - start);
                var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                return new Exit(process.exitValue(), output.lines().toList(), duration);
            } finally {
                process.destroyForcibly();
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
