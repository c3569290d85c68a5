package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.harness.site.PortBlock;
import habemus.lab.command.ShellSyntax;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Runs commands in child processes, which are killed at the end of the test. */
public final class CliProcesses implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final Path folder;
    private final List<Running> started = new ArrayList<>();

    /** @param folder for their output */
    public CliProcesses(Path folder) {
        this.folder = folder;
    }

    /** Writes a token or a password to a file that only its owner can read. */
    public static Path writeSecret(Path file, String text) throws IOException {
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    }

    /** A child process. Its output goes to files that can be read while it runs. */
    public record Running(Process process, Path out, Path err) {

        public String stdout() {
            return read(out);
        }

        public String stderr() {
            return read(err);
        }

        /** Waits for the exit code. */
        public int code() throws InterruptedException {
            assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .as("has ended: " + this)
                    .isTrue();
            return process.exitValue();
        }

        /** Sends SIGINT to the process group, like Ctrl-C. */
        public void interrupt() throws IOException, InterruptedException {
            kill("INT", -process.pid());
        }

        /** Waits until the output matches the pattern. */
        public MatchResult awaitOutput(String pattern) {
            await(() -> find(pattern).isPresent(), () -> pattern + " in " + stdout() + stderr());
            return find(pattern).orElseThrow();
        }

        Optional<MatchResult> find(String pattern) {
            return Pattern.compile(pattern).matcher(stdout()).results().findFirst();
        }

        private static String read(Path file) {
            try {
                return Files.readString(file);
            } catch (IOException unreadable) {
                throw new UncheckedIOException(unreadable);
            }
        }
    }

    /** A random first port, so that parallel tests do not collide. */
    public static int ports(int nodes) {
        return ThreadLocalRandom.current()
                .ints(20_000, 30_000)
                .filter(port -> PortBlock.areFree(port, nodes))
                .findFirst()
                .orElseThrow();
    }

    public Running start(String line) throws IOException {
        return start(ShellSyntax.split(line), Map.of());
    }

    public Running start(List<String> args, Map<String, String> environment) throws IOException {
        return start(List.of(), args, environment);
    }

    /** In a process group of its own, as {@link Running#interrupt} needs it. */
    public Running startInForeground(List<String> args, Map<String, String> environment) throws IOException {
        return start(List.of("setsid", "env", "--default-signal=INT"), args, environment);
    }

    private Running start(List<String> before, List<String> args, Map<String, String> environment) throws IOException {
        var command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName()));
        command.addAll(args);
        var out = folder.resolve(started.size() + ".out");
        var err = folder.resolve(started.size() + ".err");
        var builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().putAll(environment);
        var running = new Running(builder.start(), out, err);
        started.add(running);
        return running;
    }

    public static void await(BooleanSupplier condition, Supplier<String> what) {
        long end = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("timeout waiting for " + what.get());
            }
            LockSupport.parkNanos(POLL_INTERVAL.toNanos());
        }
    }

    public static void await(BooleanSupplier condition, String what) {
        await(condition, () -> what);
    }

    /** A zombie has ended: only its parent has not collected it yet. */
    public static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent() && !isZombie(pid);
    }

    private static boolean isZombie(long pid) {
        try {
            var status = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return status.startsWith(") Z", status.lastIndexOf(')'));
        } catch (IOException ended) {
            return false; // or this system has no such files
        }
    }

    /** Whether the file ends with a complete line. */
    public static boolean isWritten(Path file) {
        return Files.exists(file) && Running.read(file).endsWith("\n");
    }

    /** Whether the process whose pid is in the file is alive. */
    public static boolean isAlive(Path file) {
        return isAlive(Long.parseLong(Running.read(file).strip()));
    }

    /** @param pid negative: a process group */
    public static void kill(String signal, long pid) throws IOException, InterruptedException {
        var kill = new ProcessBuilder("kill", "-s", signal, "--", Long.toString(pid)).start();
        assertThat(new String(kill.getErrorStream().readAllBytes(), UTF_8)).isEmpty();
        assertThat(kill.waitFor()).isZero();
    }

    @Override
    public void close() {
        started.stream()
                .flatMap(one -> Stream.concat(one.process.descendants(), Stream.of(one.process.toHandle())))
                .toList()
                .forEach(ProcessHandle::destroyForcibly);
    }
}
