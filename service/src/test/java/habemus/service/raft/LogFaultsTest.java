package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.algorithm.TestClusters;
import habemus.service.algorithm.TestJvm;
import habemus.service.transport.Member;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Nodes of a log that are killed, or stand still, as processes do. */
@Execution(ExecutionMode.CONCURRENT)
class LogFaultsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<Member> members = TestClusters.members(3);
    private final List<NodeProcess> nodeProcesses = new ArrayList<>();
    private int words;

    @TempDir
    private Path folder;

    /** One process. */
    private final class NodeProcess {
        final int number;
        private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
        private Process process;
        private volatile String leader = "leader none";

        NodeProcess(int number) {
            this.number = number;
        }

        void start() {
            said.clear();
            leader = "leader none";
            var cluster = members.stream().map(Member::toString).collect(Collectors.joining(","));
            var command = TestJvm.command(
                    LogNodeMain.class.getName(),
                    cluster,
                    "" + number,
                    folder.resolve("n" + number).toString());
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
                            said.add(line);
                        }
                    }));
        }

        void tell(String order) {
            try {
                var out = process.getOutputStream();
                out.write((order + "\n").getBytes(UTF_8));
                out.flush();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        String hear() {
            try {
                var line = said.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(line).as("said by n" + number).isNotNull();
                return line;
            } catch (InterruptedException end) {
                throw new IllegalStateException(end);
            }
        }

        /** Proposes until it is done. */
        void propose() {
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            String answer;
            do {
                tell("propose w" + ++words);
                answer = hear();
                assertThat(System.nanoTime()).as(answer).isLessThan(deadline);
            } while (!answer.equals("done w" + words));
        }

        /** Returns when its ports are free again. */
        void kill() {
            try {
                process.destroyForcibly().waitFor();
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

    @BeforeEach
    void start() {
        for (int number = 1; number <= 3; number++) {
            var nodeProcess = new NodeProcess(number);
            nodeProcess.start();
            nodeProcesses.add(nodeProcess);
        }
        nodeProcesses.forEach(nodeProcess -> assertThat(nodeProcess.hear()).isEqualTo("up"));
        nodeProcesses.forEach(NodeProcess::propose);
    }

    @AfterEach
    void end() {
        nodeProcesses.forEach(NodeProcess::kill);
    }

    private NodeProcess leader() {
        var name = nodeProcesses.getFirst().leader;
        return nodeProcesses.stream()
                .filter(nodeProcess -> ("leader n" + nodeProcess.number).equals(name))
                .findFirst()
                .orElseThrow();
    }

    private NodeProcess other(NodeProcess... not) {
        return nodeProcesses.stream()
                .filter(nodeProcess -> !List.of(not).contains(nodeProcess))
                .findFirst()
                .orElseThrow();
    }

    private void allAgree() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (nodeProcesses.stream().map(this::state).distinct().count() > 1) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    private String state(NodeProcess nodeProcess) {
        nodeProcess.tell("lines");
        var line = nodeProcess.hear();
        return line.startsWith("lines") ? line : state(nodeProcess);
    }

    /** Measured elsewhere: here others may use the machine too. */
    private static void assertSoon(long since) {
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void one_that_is_killed_is_replaced_and_comes_back() {
        var killed = leader();
        long since = System.nanoTime();
        killed.kill();
        other(killed).propose();
        assertSoon(since);
        killed.start();
        assertThat(killed.hear()).isEqualTo("up");
        killed.propose();
        allAgree();
    }

    @Test
    void one_that_stands_still_is_replaced_and_goes_on_as_a_follower() {
        var paused = leader();
        long since = System.nanoTime();
        paused.signal("STOP");
        paused.tell("propose old");
        other(paused).propose();
        assertSoon(since);
        paused.signal("CONT");
        assertThat(paused.hear()).containsAnyOf("done old", "failed old");
        other(paused).propose();
        allAgree();
    }

    /** The leader gives up on them, and they wake up in the belief that it leads: nobody sees that one is needed. */
    @Test
    void after_a_majority_stood_still_there_is_a_leader_again() {
        var leader = leader();
        var others = nodeProcesses.stream()
                .filter(nodeProcess -> nodeProcess != leader)
                .toList();
        others.forEach(nodeProcess -> nodeProcess.signal("STOP"));
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!leader.leader.equals("leader none")) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            state(leader);
        }
        others.forEach(nodeProcess -> nodeProcess.signal("CONT"));
        leader.propose();
        allAgree();
    }

    @Test
    void all_that_are_killed_come_back_with_all_they_said() {
        nodeProcesses.forEach(nodeProcess -> nodeProcess.process.destroyForcibly());
        nodeProcesses.forEach(NodeProcess::kill);
        nodeProcesses.forEach(NodeProcess::start);
        nodeProcesses.forEach(nodeProcess -> assertThat(nodeProcess.hear()).isEqualTo("up"));
        nodeProcesses.getFirst().propose();
        allAgree();
        assertThat(state(nodeProcesses.getFirst())).startsWith("lines " + words);
    }
}
