package habemus.harness.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.algorithm.TestClusters;
import habemus.service.algorithm.TestJvm;
import habemus.service.trace.RecordedRun;
import habemus.service.transport.Member;
import habemus.world.Property;
import habemus.world.Verdict;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A cluster of real processes that a test kills, pauses and restarts. */
final class RealCluster implements AutoCloseable {

    /**
     * @param folder for traces, logs and data
     * @param disk whether the nodes have durable state
     */
    record Setup(String locks, String elections, Path folder, boolean disk) {}

    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private final List<Member> members;
    private final IntFunction<List<String>> commandPrefix;
    private final Setup setup;
    private final List<NodeProcess> nodes = new ArrayList<>();

    /** On loopback ports. */
    RealCluster(int nodes, Setup setup) {
        this(TestClusters.members(nodes), node -> List.of(), setup);
    }

    /** Each node in a network namespace of its own. */
    RealCluster(TestNamespaces namespaces, Setup setup) {
        this(namespaces.members(), namespaces::commandPrefix, setup);
    }

    private RealCluster(List<Member> members, IntFunction<List<String>> commandPrefix, Setup setup) {
        this.members = members;
        this.commandPrefix = commandPrefix;
        this.setup = setup;
        for (int number = 1; number <= members.size(); number++) {
            nodes.add(new NodeProcess(number));
        }
        nodes.forEach(node -> node.start(20));
        nodes.forEach(node -> node.awaitLine("up "));
    }

    /** The verdict on the first recorded group. All its steps must conform to the protocol. */
    static Verdict verdict(Path folder, Property property) {
        var run = RecordedRun.read(List.of(folder.resolve("record")), false).getFirst();
        assertThat(run.differences()).isEmpty();
        return requireNonNull(run.runResult().verdicts().get(property));
    }

    NodeProcess node(int number) {
        return nodes.get(number - 1);
    }

    List<NodeProcess> others(int number) {
        return nodes.stream().filter(node -> node.number != number).toList();
    }

    /** @param number of a killed node; zero for none */
    void restartIfKilled(int number) {
        if (number > 0) {
            node(number).restart();
        }
    }

    Path record() {
        return setup.folder.resolve("record");
    }

    Path data(int number) {
        return setup.folder.resolve("data-n" + number);
    }

    @Override
    public void close() {
        nodes.forEach(NodeProcess::requestStop);
        nodes.forEach(NodeProcess::awaitExit);
    }

    record Leader(int number, long term) {
        private static Leader of(List<String> words) {
            return new Leader(Integer.parseInt(words.get(2).substring(1)), Long.parseLong(words.get(3)));
        }
    }

    /** The process of one node. */
    final class NodeProcess {
        final int number;
        private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
        private Process process;

        NodeProcess(int number) {
            this.number = number;
        }

        /** @param startupWait for its peers, in seconds */
        void start(int startupWait) {
            output.clear();
            var cluster = members.stream().map(Member::toString).collect(Collectors.joining(","));
            var data = setup.disk ? data(number).toString() : "";
            var words = new ArrayList<>(commandPrefix.apply(number));
            words.addAll(TestJvm.command(
                    AlgorithmNodeMain.class.getName(),
                    cluster,
                    Integer.toString(number),
                    setup.locks,
                    setup.elections,
                    Integer.toString(startupWait),
                    data,
                    record().toString()));
            try {
                process = new ProcessBuilder(words)
                        .redirectError(
                                setup.folder.resolve("n" + number + ".log").toFile())
                        .start();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
            var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
            Thread.ofVirtual().start(() -> reader.lines().forEach(output::add));
        }

        /** Returns when all other nodes know the new incarnation. */
        void restart() {
            start(20);
            var incarnation = awaitLine("up ").split(" ", -1)[1];
            others(number).stream()
                    .filter(other -> other.process.isAlive())
                    .forEach(other -> other.await("peers x", "peers ", answer -> answer.contains(incarnation)));
        }

        NodeProcess send(String command) {
            try {
                process.getOutputStream().write((command + "\n").getBytes(UTF_8));
                process.getOutputStream().flush();
            } catch (IOException exited) {
                throw new UncheckedIOException(exited);
            }
            return this;
        }

        /** Waits for a line with this prefix. */
        String awaitLine(String prefix) {
            return awaitLine(prefix, TIMEOUT)
                    .orElseThrow(() -> new AssertionError("n" + number + " did not print '" + prefix + "'"));
        }

        Optional<String> awaitLine(String prefix, Duration timeout) {
            long end = System.nanoTime() + timeout.toNanos();
            try {
                for (var line = next(end); line != null; line = next(end)) {
                    if (line.startsWith(prefix)) {
                        return Optional.of(line);
                    }
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
            return Optional.empty();
        }

        private String next(long end) throws InterruptedException {
            return output.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        /** Waits until the node is connected to this number of peers. */
        void awaitPeers(int count) {
            await("peers x", "peers ", words -> Integer.parseInt(words.get(1)) == count);
        }

        /** Waits for a leader of a later term, other than a dead node. */
        Leader awaitLeader(int dead, long after) {
            var words = await(
                    "leader boss",
                    "leader boss ",
                    answer -> Leader.of(answer).number > 0
                            && Leader.of(answer).number != dead
                            && Leader.of(answer).term > after);
            return Leader.of(words);
        }

        /** Waits until both nodes name the same leader, other than a dead node, and returns it. */
        int awaitAgreement(String election, NodeProcess other, int dead) {
            long end = System.nanoTime() + TIMEOUT.toNanos();
            while (System.nanoTime() < end) {
                int leader = leaderIn(election);
                if (leader > 0 && leader != dead && leader == other.leaderIn(election)) {
                    return leader;
                }
            }
            throw new AssertionError("n" + number + " and n" + other.number + " never agree in " + election);
        }

        private int leaderIn(String election) {
            var line = send("leader " + election).awaitLine("leader " + election + " ");
            return Leader.of(List.of(line.split(" ", -1))).number;
        }

        /** Waits until the node names this leader. */
        void awaitLeaderIs(int leader) {
            await("leader boss", "leader boss ", answer -> Leader.of(answer).number == leader);
        }

        /** Sends a query until the answer matches. */
        private List<String> await(String query, String prefix, Predicate<List<String>> condition) {
            long end = System.nanoTime() + TIMEOUT.toNanos();
            while (System.nanoTime() < end) {
                var words = List.of(send(query).awaitLine(prefix).split(" ", -1));
                if (condition.test(words)) {
                    return words;
                }
            }
            throw new AssertionError("n" + number + " never gave the expected answer to '" + query + "'");
        }

        void acquire() {
            send("acquire x").awaitLine("granted x");
        }

        void release() {
            send("release x").awaitLine("released x");
        }

        void kill() {
            signal("KILL");
            try {
                assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        void pause() {
            signal("STOP");
        }

        void resume() {
            signal("CONT");
        }

        private void signal(String name) {
            try {
                new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Asks the process to stop, and resumes it if it is paused. */
        private void requestStop() {
            resume();
            try {
                process.getOutputStream().close();
            } catch (IOException exited) {
                process.destroyForcibly();
            }
        }

        private void awaitExit() {
            try {
                if (!process.waitFor(10, TimeUnit.SECONDS)) {
                    process.destroyForcibly();
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
