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

/** A cluster of real processes, which can be killed, stopped and started again. */
final class RealCluster implements AutoCloseable {

    /**
     * What is given.
     *
     * @param folder where traces, and memories if there is a disk, are kept
     */
    record Setup(String locks, String elections, Path folder, boolean disk) {}

    private static final Duration TIMEOUT = Duration.ofSeconds(40);

    private final List<Member> members;
    private final IntFunction<List<String>> commandPrefix;
    private final Setup setup;
    private final List<NodeProcess> nodeProcesses = new ArrayList<>();

    /** On loopback. */
    RealCluster(int nodes, Setup setup) {
        this(TestClusters.members(nodes), node -> List.of(), setup);
    }

    /** Each node in a network of its own. */
    RealCluster(TestNamespaces testNamespaces, Setup setup) {
        this(testNamespaces.members(), testNamespaces::commandPrefix, setup);
    }

    private RealCluster(List<Member> members, IntFunction<List<String>> where, Setup setup) {
        this.members = members;
        this.commandPrefix = where;
        this.setup = setup;
        for (int number = 1; number <= members.size(); number++) {
            nodeProcesses.add(new NodeProcess(number));
        }
        nodeProcesses.forEach(nodeProcess -> nodeProcess.start(20));
        nodeProcesses.forEach(nodeProcess -> nodeProcess.awaitLine("up "));
    }

    /** Of the first group of which there are traces, whose every step is as the pure machine takes it. */
    static Verdict verdict(Path folder, Property property) {
        var recordedRun = RecordedRun.read(folder.resolve("record"), false).getFirst();
        assertThat(recordedRun.differences()).isEmpty();
        return requireNonNull(recordedRun.runResult().verdicts().get(property));
    }

    NodeProcess node(int number) {
        return nodeProcesses.get(number - 1);
    }

    List<NodeProcess> others(int number) {
        return nodeProcesses.stream()
                .filter(nodeProcess -> nodeProcess.number != number)
                .toList();
    }

    /** Has it come back, if it was killed. */
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
        nodeProcesses.forEach(NodeProcess::requestStop);
        nodeProcesses.forEach(NodeProcess::awaitExit);
    }

    record Leader(int number, long term) {
        private static Leader of(List<String> words) {
            return new Leader(Integer.parseInt(words.get(2).substring(1)), Long.parseLong(words.get(3)));
        }
    }

    /** One process. */
    final class NodeProcess {
        final int number;
        private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
        private Process process;

        NodeProcess(int number) {
            this.number = number;
        }

        /** @param gather for how many seconds it waits for the others */
        void start(int gather) {
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
                    Integer.toString(gather),
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

        /** Until all others know of its new life. */
        void restart() {
            start(20);
            var life = awaitLine("up ").split(" ", -1)[1];
            others(number).stream()
                    .filter(other -> other.process.isAlive())
                    .forEach(other -> other.await("peers x", "peers ", said -> said.contains(life)));
        }

        NodeProcess send(String order) {
            try {
                process.getOutputStream().write((order + "\n").getBytes(UTF_8));
                process.getOutputStream().flush();
            } catch (IOException dead) {
                throw new UncheckedIOException(dead);
            }
            return this;
        }

        /** Waits for a line that begins so. */
        String awaitLine(String beginning) {
            return awaitLine(beginning, TIMEOUT)
                    .orElseThrow(() -> new AssertionError("n" + number + " did not say '" + beginning + "'"));
        }

        Optional<String> awaitLine(String beginning, Duration patience) {
            long end = System.nanoTime() + patience.toNanos();
            try {
                for (var line = next(end); line != null; line = next(end)) {
                    if (line.startsWith(beginning)) {
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

        /** Waits until so many others are there. */
        void awaitPeers(int many) {
            await("peers x", "peers ", words -> Integer.parseInt(words.get(1)) == many);
        }

        /** Waits until somebody leads in a later term, other than one who cannot. */
        Leader awaitLeader(int dead, long after) {
            var words = await(
                    "leader boss",
                    "leader boss ",
                    said -> Leader.of(said).number > 0
                            && Leader.of(said).number != dead
                            && Leader.of(said).term > after);
            return Leader.of(words);
        }

        /** Waits until both name the same leader, other than one who cannot; tells whom. */
        int awaitAgreement(String election, NodeProcess other, int dead) {
            long end = System.nanoTime() + TIMEOUT.toNanos();
            while (System.nanoTime() < end) {
                int here = leaderIn(election);
                if (here > 0 && here != dead && here == other.leaderIn(election)) {
                    return here;
                }
            }
            throw new AssertionError("n" + number + " and n" + other.number + " never agree in " + election);
        }

        private int leaderIn(String election) {
            var said = send("leader " + election).awaitLine("leader " + election + " ");
            return Leader.of(List.of(said.split(" ", -1))).number;
        }

        /** Waits until it names this one. */
        void awaitLeaderIs(int leader) {
            await("leader boss", "leader boss ", said -> Leader.of(said).number == leader);
        }

        /** Asks until the answer is so. */
        private List<String> await(String question, String beginning, Predicate<List<String>> answer) {
            long end = System.nanoTime() + TIMEOUT.toNanos();
            while (System.nanoTime() < end) {
                var words = List.of(send(question).awaitLine(beginning).split(" ", -1));
                if (answer.test(words)) {
                    return words;
                }
            }
            throw new AssertionError("n" + number + " never gave the answer to '" + question + "'");
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

        /** In good order, as far as it still can. */
        private void requestStop() {
            resume();
            try {
                process.getOutputStream().close();
            } catch (IOException gone) {
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
