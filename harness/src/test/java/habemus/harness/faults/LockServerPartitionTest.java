package habemus.harness.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.algorithm.TestJvm;
import habemus.service.server.LockServerConfig;
import habemus.service.transport.Member;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Three nodes and two clients of the lock service, each in a network namespace, and links that are cut. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class LockServerPartitionTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int NODES = 3;
    private static final int FIRST_CLIENT = 4;
    private static final int SECOND_CLIENT = 5;

    @TempDir
    private Path folder;

    private final TestNamespaces namespaces = new TestNamespaces(SECOND_CLIENT);
    private final List<ClusterProcess> processes = new ArrayList<>();

    /** A node or a client. */
    private record ClusterProcess(Process process, BlockingQueue<String> output) {

        ClusterProcess send(String command) {
            try {
                process.getOutputStream().write((command + "\n").getBytes(UTF_8));
                process.getOutputStream().flush();
            } catch (IOException exited) {
                throw new UncheckedIOException(exited);
            }
            return this;
        }

        /** The words of the next line, which must have this prefix. */
        List<String> awaitLine(String prefix) {
            try {
                var line = output.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
                assertThat(line).startsWith(prefix);
                return Arrays.asList(line.split(" ", -1));
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }

    @BeforeEach
    void start() {
        var members = namespaces.members().subList(0, NODES);
        var cluster = members.stream().map(Member::toString).collect(Collectors.joining(","));
        var addresses = members.stream()
                .map(Member::address)
                .map(address ->
                        address.getHostString() + ":" + (address.getPort() + LockServerConfig.CLIENT_PORT_OFFSET))
                .collect(Collectors.joining(","));
        for (int node = 1; node <= NODES; node++) {
            processes.add(
                    start(node, cluster, "" + node, folder.resolve("n" + node).toString()));
        }
        processes.forEach(process -> process.awaitLine("up"));
        processes.add(start(FIRST_CLIENT, addresses));
        processes.add(start(SECOND_CLIENT, addresses));
        process(FIRST_CLIENT).awaitLine("up");
        process(SECOND_CLIENT).awaitLine("up");
    }

    private ClusterProcess start(int namespace, String... args) {
        var words = new ArrayList<>(namespaces.commandPrefix(namespace));
        words.addAll(TestJvm.command(LockServerMain.class.getName(), args));
        try {
            var process = new ProcessBuilder(words)
                    .redirectError(folder.resolve("at-" + namespace + ".log").toFile())
                    .start();
            var output = new LinkedBlockingQueue<String>();
            var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
            Thread.ofVirtual().start(() -> reader.lines().forEach(output::add));
            return new ClusterProcess(process, output);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private ClusterProcess process(int namespace) {
        return processes.get(namespace - 1);
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (ClusterProcess clusterProcess : processes) {
            clusterProcess.process.destroyForcibly().waitFor();
        }
        namespaces.close();
    }

    private int leader() {
        return Integer.parseInt(
                process(1).send("leader").awaitLine("leader n").get(1).substring(1));
    }

    /** Cuts all links between these namespaces and the others. */
    private void partition(List<Integer> side) {
        for (int member : side) {
            IntStream.rangeClosed(1, SECOND_CLIENT)
                    .filter(other -> !side.contains(other))
                    .forEach(other -> {
                        namespaces.cutLink(member, other);
                        namespaces.cutLink(other, member);
                    });
        }
    }

    @Test
    void a_leader_without_a_majority_acknowledges_nothing_and_its_client_is_notified_before_the_next_grant() {
        var first = process(FIRST_CLIENT);
        var second = process(SECOND_CLIENT);
        long firstFence =
                Long.parseLong(first.send("acquire x").awaitLine("granted x").get(2));
        partition(List.of(leader(), FIRST_CLIENT));
        second.send("acquire x");
        first.send("try y");
        long notifiedAt = 0;
        var tried = "";
        for (int i = 0; i < 2; i++) { // in any order
            var words = first.awaitLine("");
            notifiedAt = words.getFirst().equals("lost") ? Long.parseLong(words.get(2)) : notifiedAt;
            tried = words.getFirst().equals("tried") ? words.get(2) : tried;
        }
        assertThat(tried).isEqualTo("no-quorum");
        var granted = second.awaitLine("granted x");
        assertThat(notifiedAt).as("time of the notification").isPositive().isLessThan(Long.parseLong(granted.get(3)));
        assertThat(Long.parseLong(granted.get(2))).isGreaterThan(firstFence);
        namespaces.healAll();
        second.send("release x").awaitLine("released x");
        first.send("acquire x");
        assertThat(Long.parseLong(first.awaitLine("granted x").get(2))).isGreaterThan(Long.parseLong(granted.get(2)));
    }

    @Test
    void a_client_partitioned_from_one_node_keeps_its_lock_through_another() {
        var first = process(FIRST_CLIENT);
        var second = process(SECOND_CLIENT);
        first.send("acquire x").awaitLine("granted x");
        int leader = leader();
        namespaces.cutLink(leader, FIRST_CLIENT);
        namespaces.cutLink(FIRST_CLIENT, leader);
        long end = System.nanoTime() + LockServerMain.LEASE.multipliedBy(2).toNanos();
        while (System.nanoTime() < end) {
            assertThat(second.send("try x").awaitLine("tried x").get(2)).isNotEqualTo("granted");
        }
        assertThat(first.send("valid x").awaitLine("valid x").get(2)).isEqualTo("true");
    }
}
