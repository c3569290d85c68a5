package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.algorithm.TestJvm;
import habemus.service.transport.Member;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** A {@link LogNodeMain} as a process, which is started, killed and paused. */
final class LogNodeProcess {

    static final Duration TIMEOUT = Duration.ofSeconds(60);

    final int number;
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
    private Process process;
    private volatile String leader = "leader none";

    LogNodeProcess(int number) {
        this.number = number;
    }

    void start(List<Member> members, Path folder, StartMode mode) {
        output.clear();
        leader = "leader none";
        var cluster = members.stream().map(Member::toString).collect(Collectors.joining(","));
        var command =
                TestJvm.command(LogNodeMain.class.getName(), cluster, "" + number, folder.toString(), mode.toString());
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
        Thread.ofVirtual()
                .start(() -> reader.lines().forEach(line -> {
                    if (line.startsWith("leader ")) {
                        leader = line;
                    } else {
                        output.add(line);
                    }
                }));
    }

    /** The last line about the leader. */
    String leader() {
        return leader;
    }

    void send(String command) {
        try {
            var out = process.getOutputStream();
            out.write((command + "\n").getBytes(UTF_8));
            out.flush();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    String nextLine() {
        try {
            var line = output.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
            assertThat(line).as("output of n" + number).isNotNull();
            return line;
        } catch (InterruptedException end) {
            throw new IllegalStateException(end);
        }
    }

    /** Reads lines until one begins like this. */
    String awaitLine(String prefix) {
        for (var line = nextLine(); ; line = nextLine()) {
            if (line.startsWith(prefix)) {
                return line;
            }
        }
    }

    /** Returns when the process has ended and its ports are free. */
    void kill() {
        try {
            if (process != null) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException end) {
            throw new IllegalStateException(end);
        }
    }

    void signal(String name) {
        try {
            assertThat(new ProcessBuilder("kill", "-" + name, "" + process.pid())
                            .start()
                            .waitFor())
                    .isZero();
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
