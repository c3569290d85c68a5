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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Three nodes and two clients of the production service, each in a network of its own, and wires that are cut. */
@Execution(ExecutionMode.CONCURRENT)
class LockServerPartitionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int NODES = 3;
    private static final int HERE = 4; // a client, as the next
    private static final int THERE = 5;

    @TempDir
    private Path folder;

    private final TestNamespaces testNamespaces = new TestNamespaces(THERE);
    private final List<Actor> actors = new ArrayList<>();

    /** One process. */
    private record Actor(Process process, BlockingQueue<String> said) {

        Actor tell(String order) {
            try {
                process.getOutputStream().write((order + "\n").getBytes(UTF_8));
                process.getOutputStream().flush();
            } catch (IOException dead) {
                throw new UncheckedIOException(dead);
            }
            return this;
        }

        /** The words of the next line, which must begin so. */
        List<String> hear(String beginning) {
            try {
                var line = said.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                assertThat(line).startsWith(beginning);
                return Arrays.asList(line.split(" ", -1));
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }
    }

    @BeforeEach
    void start() {
        var members = testNamespaces.members().subList(0, NODES);
        var cluster = members.stream().map(Member::toString).collect(Collectors.joining(","));
        var doors = members.stream()
                .map(Member::address)
                .map(address ->
                        address.getHostString() + ":" + (address.getPort() + LockServerConfig.CLIENT_PORT_OFFSET))
                .collect(Collectors.joining(","));
        for (int node = 1; node <= NODES; node++) {
            actors.add(
                    start(node, cluster, "" + node, folder.resolve("n" + node).toString()));
        }
        actors.forEach(actor -> actor.hear("up"));
        actors.add(start(HERE, doors));
        actors.add(start(THERE, doors));
        actor(HERE).hear("up");
        actor(THERE).hear("up");
    }

    private Actor start(int place, String... args) {
        var words = new ArrayList<>(testNamespaces.commandPrefix(place));
        words.addAll(TestJvm.command(LockServerMain.class.getName(), args));
        try {
            var process = new ProcessBuilder(words)
                    .redirectError(folder.resolve("at-" + place + ".log").toFile())
                    .start();
            var said = new LinkedBlockingQueue<String>();
            var reader = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
            Thread.ofVirtual().start(() -> reader.lines().forEach(said::add));
            return new Actor(process, said);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private Actor actor(int place) {
        return actors.get(place - 1);
    }

    @AfterEach
    void end() throws InterruptedException {
        for (Actor actor : actors) {
            actor.process.destroyForcibly().waitFor();
        }
        testNamespaces.close();
    }

    private int leader() {
        return Integer.parseInt(actor(1).tell("leader").hear("leader n").get(1).substring(1));
    }

    /** Between these and all others. */
    private void cut(List<Integer> side) {
        for (int one : side) {
            IntStream.rangeClosed(1, THERE)
                    .filter(other -> !side.contains(other))
                    .forEach(other -> {
                        testNamespaces.cutLink(one, other);
                        testNamespaces.cutLink(other, one);
                    });
        }
    }

    @Test
    void a_leader_without_a_majority_acknowledges_nothing_and_its_client_is_told_before_another_is_let_in() {
        var here = actor(HERE);
        var there = actor(THERE);
        long first = Long.parseLong(here.tell("acquire x").hear("granted x").get(2));
        cut(List.of(leader(), HERE));
        there.tell("acquire x");
        here.tell("try y");
        long told = 0;
        var tried = "";
        for (int i = 0; i < 2; i++) { // in any order
            var words = here.hear("");
            told = words.getFirst().equals("lost") ? Long.parseLong(words.get(2)) : told;
            tried = words.getFirst().equals("tried") ? words.get(2) : tried;
        }
        assertThat(tried).isEqualTo("no-quorum");
        var granted = there.hear("granted x");
        assertThat(told).as("when it was told").isPositive().isLessThan(Long.parseLong(granted.get(3)));
        assertThat(Long.parseLong(granted.get(2))).isGreaterThan(first);
        testNamespaces.healAll();
        there.tell("release x").hear("released x");
        here.tell("acquire x");
        assertThat(Long.parseLong(here.hear("granted x").get(2))).isGreaterThan(Long.parseLong(granted.get(2)));
    }

    @Test
    void a_client_that_is_cut_off_from_one_node_keeps_what_it_has_by_another() {
        var here = actor(HERE);
        var there = actor(THERE);
        here.tell("acquire x").hear("granted x");
        int leader = leader();
        testNamespaces.cutLink(leader, HERE);
        testNamespaces.cutLink(HERE, leader);
        long end = System.nanoTime() + LockServerMain.LEASE.multipliedBy(2).toNanos();
        while (System.nanoTime() < end) {
            assertThat(there.tell("try x").hear("tried x").get(2)).isNotEqualTo("granted");
        }
        assertThat(here.tell("valid x").hear("valid x").get(2)).isEqualTo("true");
    }
}
