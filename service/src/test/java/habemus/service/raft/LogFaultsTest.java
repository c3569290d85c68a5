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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Log nodes as processes that are killed and paused. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class LogFaultsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final List<Member> members = TestClusters.members(3);
    private final List<NodeProcess> nodes = new ArrayList<>();
    private int proposals;

    @TempDir
    private Path folder;

    private final class NodeProcess {
        final int number;
        private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
        private Process process;
        private volatile String leader = "leader none";

        NodeProcess(int number) {
            this.number = number;
        }

        void start() {
            output.clear();
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
                            output.add(line);
                        }
                    }));
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

        /** Proposes until a proposal is committed. */
        void propose() {
            long deadline = System.nanoTime() + TIMEOUT.toNanos();
            String answer;
            do {
                send("propose w" + ++proposals);
                answer = nextLine();
                assertThat(System.nanoTime()).as(answer).isLessThan(deadline);
            } while (!answer.equals("done w" + proposals));
        }

        /** Returns when the process has ended and its ports are free. */
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
            var node = new NodeProcess(number);
            node.start();
            nodes.add(node);
        }
        nodes.forEach(node -> assertThat(node.nextLine()).isEqualTo("up"));
        nodes.forEach(NodeProcess::propose);
    }

    @AfterEach
    void end() {
        nodes.forEach(NodeProcess::kill);
    }

    private NodeProcess leader() {
        var name = nodes.getFirst().leader;
        return nodes.stream()
                .filter(node -> ("leader n" + node.number).equals(name))
                .findFirst()
                .orElseThrow();
    }

    private NodeProcess other(NodeProcess... not) {
        return nodes.stream()
                .filter(node -> !List.of(not).contains(node))
                .findFirst()
                .orElseThrow();
    }

    private void allAgree() {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (nodes.stream().map(this::state).distinct().count() > 1) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    private String state(NodeProcess node) {
        node.send("lines");
        var line = node.nextLine();
        return line.startsWith("lines") ? line : state(node);
    }

    /** A loose bound, since the machine may be busy; benchmarks measure the real time. */
    private static void assertSoon(long since) {
        assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(Duration.ofSeconds(15));
    }

    @Test
    void a_killed_leader_is_replaced_and_rejoins() {
        var killed = leader();
        long since = System.nanoTime();
        killed.kill();
        other(killed).propose();
        assertSoon(since);
        killed.start();
        assertThat(killed.nextLine()).isEqualTo("up");
        killed.propose();
        allAgree();
    }

    @Test
    void a_paused_leader_is_replaced_and_continues_as_a_follower() {
        var paused = leader();
        long since = System.nanoTime();
        paused.signal("STOP");
        paused.send("propose old");
        other(paused).propose();
        assertSoon(since);
        paused.signal("CONT");
        assertThat(paused.nextLine()).containsAnyOf("done old", "failed old");
        other(paused).propose();
        allAgree();
    }

    /** The leader steps down; the paused nodes resume and still believe in it, so no node sees a reason to elect. */
    @Test
    void after_a_pause_of_a_majority_there_is_a_leader_again() {
        var leader = leader();
        var others = nodes.stream().filter(node -> node != leader).toList();
        others.forEach(node -> node.signal("STOP"));
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!leader.leader.equals("leader none")) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            state(leader);
        }
        others.forEach(node -> node.signal("CONT"));
        leader.propose();
        allAgree();
    }

    @Test
    void acknowledged_entries_survive_the_kill_of_all_nodes() {
        nodes.forEach(node -> node.process.destroyForcibly());
        nodes.forEach(NodeProcess::kill);
        nodes.forEach(NodeProcess::start);
        nodes.forEach(node -> assertThat(node.nextLine()).isEqualTo("up"));
        nodes.getFirst().propose();
        allAgree();
        assertThat(state(nodes.getFirst())).startsWith("lines " + proposals);
    }
}
