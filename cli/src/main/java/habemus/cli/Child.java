package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

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
final class Child {

    private static final Optional<String> SETSID = find("setsid");

    private final Process process;
    private final Duration grace;
    private final Optional<Process> guard;

    private Child(Process process, Duration grace) {
        this.process = process;
        this.grace = grace;
        guard = SETSID.map(setsid -> guard(setsid, process.pid(), grace));
    }

    /** @param grace how long it may take to end when it is asked to */
    static Child start(List<String> command, Map<String, String> environment, Duration grace) {
        var words = new ArrayList<String>();
        SETSID.ifPresent(words::add);
        words.addAll(command);
        var builder = new ProcessBuilder(words).inheritIO();
        builder.environment().putAll(environment);
        try {
            return new Child(builder.start(), grace);
        } catch (IOException refused) {
            throw Refusal.cannot("cannot run " + command.getFirst(), "is there such a program?");
        }
    }

    private static Optional<String> find(String program) {
        var path = System.getenv("PATH");
        return path == null
                ? Optional.empty()
                : List.of(path.split(":", -1)).stream()
                        .map(folder -> Path.of(folder, program))
                        .filter(Files::isExecutable)
                        .map(Path::toString)
                        .findFirst();
    }

    /** Waits for a word from here; if there is none, but an end, this process is no more. */
    private static Process guard(String setsid, long group, Duration grace) {
        var script = "read word; test -n \"$word\" && exit; kill -TERM -- -%d; sleep %d; kill -KILL -- -%d"
                .formatted(group, Math.max(1, grace.toSeconds()), group);
        try {
            return new ProcessBuilder(setsid, "sh", "-c", script)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException refused) {
            throw Refusal.cannot("cannot run sh", "a system without it is not supported");
        }
    }

    /** Completed with its exit code. */
    CompletableFuture<Integer> ended() {
        return process.onExit().thenApply(Process::exitValue);
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
        all.forEach(ProcessHandle::destroyForcibly);
        return ended().join();
    }

    /** It has ended by itself, and so do those that it left behind. */
    void clear() {
        signal("KILL");
        guard.ifPresent(Child::dismiss);
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
            new ProcessBuilder("sh", "-c", "kill -" + name + " -- -" + process.pid())
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

    private static void dismiss(Process guard) {
        try (var word = guard.getOutputStream()) {
            word.write("done\n".getBytes(UTF_8));
        } catch (IOException gone) {
            guard.destroy();
        }
    }
}
