package habemus.cli.exec;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.cli.admin.Credentials;
import habemus.lab.command.CommandException;
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
 * A child process that must not outlive a lock. The child and its descendants form a process group of their own, which
 * is stopped as a whole. If this process is killed, a guard process stops the group.
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

    /** @param grace time from TERM to KILL */
    static ChildProcess start(List<String> command, Map<String, String> environment, Duration grace) {
        var arguments = new ArrayList<String>();
        SETSID.ifPresent(arguments::add);
        arguments.addAll(command);
        var builder = new ProcessBuilder(arguments).inheritIO();
        builder.environment().putAll(environment);
        builder.environment().remove(Credentials.TOKEN_VARIABLE); // the command needs no secret of the lock service
        var guard = SETSID.map(setsid -> startGuard(setsid, grace));
        try {
            var process = builder.start();
            guard.ifPresent(started -> writeLine(started, Long.toString(process.pid())));
            return new ChildProcess(process, grace, guard);
        } catch (IOException failed) {
            guard.ifPresent(Process::destroy);
            throw CommandException.failure(
                    "cannot run " + command.getFirst(), "check that the program exists and is executable");
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

    /** The guard reads the process group, and then a final word. End of input without that word means a kill. */
    private static Process startGuard(String setsid, Duration grace) {
        var script = "read group && { read word; test -n \"$word\" || {" + " kill -s TERM -- -$group; sleep "
                + Math.max(1, grace.toSeconds()) + "; kill -s KILL -- -$group; } }";
        try {
            return new ProcessBuilder(setsid, "sh", "-c", script)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException failed) {
            throw CommandException.failure("cannot run sh", "install a POSIX shell");
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

    /** Completes with the exit code. */
    CompletableFuture<Integer> ended() {
        return ended;
    }

    /** Stops the whole group; returns the exit code. */
    int stop() {
        var all = descendants();
        signal("TERM");
        try {
            process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        signal("KILL");
        all.forEach(ProcessHandle::destroyForcibly); // also descendants that left the group
        process.destroyForcibly();
        return ended().join();
    }

    /** Kills the descendants that outlived the child, and dismisses the guard. */
    void killLeftovers() {
        signal("KILL");
        guard.ifPresent(started -> writeLine(started, "done"));
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
        } catch (IOException failed) {
            process.destroyForcibly();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
