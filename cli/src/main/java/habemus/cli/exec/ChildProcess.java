package habemus.cli.exec;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.cli.terminal.CommandException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A command that must not outlive what it was started for: it and all it starts are a session of their own, which is
 * stopped as a whole. Should this process be killed, a guard that notices does it.
 */
final class ChildProcess {

    private static final Optional<String> SETSID = findProgram("setsid");

    private final Process process;
    private final Duration grace;
    private final Optional<Process> guard;
    private final CompletableFuture<Integer> ended;

    private ChildProcess(Process process, Duration grace, Optional<Process> guard) {
        this.process = process;
        this.grace = grace;
        this.guard = guard;
        ended = process.onExit().thenApply(Process::exitValue);
    }

    /** @param grace how long it may take to end when it is asked to */
    static ChildProcess start(List<String> command, Map<String, String> environment, Duration grace) {
        var words = new ArrayList<String>();
        SETSID.ifPresent(words::add);
        words.addAll(command);
        var builder = new ProcessBuilder(words).inheritIO();
        builder.environment().putAll(environment);
        var guard = SETSID.map(setsid -> startGuard(setsid, grace));
        try {
            var process = builder.start();
            guard.ifPresent(one -> writeLine(one, Long.toString(process.pid())));
            return new ChildProcess(process, grace, guard);
        } catch (IOException refused) {
            guard.ifPresent(Process::destroy);
            throw CommandException.failure("cannot run " + command.getFirst(), "is there such a program?");
        }
    }

    private static Optional<String> findProgram(String program) {
        var path = System.getenv("PATH");
        return path == null
                ? Optional.empty()
                : List.of(path.split(":", -1)).stream()
                        .map(folder -> Path.of(folder, program))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst();
    }

    /** Is told which group it is about; if then there is no word but an end, this process is no more. */
    private static Process startGuard(String setsid, Duration grace) {
        var script = "read group && { read word; test -n \"$word\" || {" + " kill -s TERM -- -$group; sleep "
                + Math.max(1, grace.toSeconds()) + "; kill -s KILL -- -$group; } }";
        try {
            return new ProcessBuilder(setsid, "sh", "-c", script)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException refused) {
            throw CommandException.failure("cannot run sh", "a system without it is not supported");
        }
    }

    private static void writeLine(Process guard, String word) {
        try {
            guard.getOutputStream().write((word + "\n").getBytes(UTF_8));
            guard.getOutputStream().flush();
        } catch (IOException gone) {
            guard.destroy();
        }
    }

    /** Completed with its exit code. */
    CompletableFuture<Integer> ended() {
        return ended;
    }

    /** All of it; returns when that is so, with the exit code. */
    int stop() {
        var all = descendants();
        signal("TERM");
        try {
            process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        signal("KILL");
        all.forEach(ProcessHandle::destroyForcibly); // also those who have left the session
        process.destroyForcibly();
        return ended().join();
    }

    /** It has ended by itself, and so do those that it left behind. */
    void killLeftovers() {
        signal("KILL");
        guard.ifPresent(one -> writeLine(one, "done"));
    }

    private List<ProcessHandle> descendants() {
        return process.descendants().toList();
    }

    private void signal(String name) {
        if (guard.isEmpty()) {
            process.destroy();
            descendants().forEach(ProcessHandle::destroy);
            return;
        }
        try {
            new ProcessBuilder("sh", "-c", "kill -s " + name + " -- -" + process.pid())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException refused) {
            process.destroyForcibly();
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
    }
}
