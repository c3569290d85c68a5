package habemus.service.raft;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.service.algorithm.TestClusters;
import habemus.service.transport.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    private static final Duration SEVERAL_ELECTION_TIMEOUTS = Duration.ofSeconds(3);

    private final List<Member> members = TestClusters.members(3);
    private final List<LogNodeProcess> nodes = new ArrayList<>();
    private int proposals;
    private int acknowledged;

    @TempDir
    private Path folder;

    private void startNode(LogNodeProcess node) {
        node.start(members, folder.resolve("n" + node.number), StartMode.BOOTSTRAP);
    }

    /** Proposes until a proposal is committed. */
    private void propose(LogNodeProcess node) {
        long deadline = System.nanoTime() + LogNodeProcess.TIMEOUT.toNanos();
        String answer;
        do {
            node.send("propose w" + ++proposals);
            answer = node.nextLine();
            assertThat(System.nanoTime()).as(answer).isLessThan(deadline);
        } while (!answer.equals("done w" + proposals));
        acknowledged++;
    }

    @BeforeEach
    void start() {
        for (int number = 1; number <= 3; number++) {
            var node = new LogNodeProcess(number);
            startNode(node);
            nodes.add(node);
        }
        nodes.forEach(node -> assertThat(node.nextLine()).isEqualTo("up"));
        nodes.forEach(this::propose);
    }

    @AfterEach
    void end() {
        nodes.forEach(LogNodeProcess::kill);
    }

    private LogNodeProcess leader() {
        var name = nodes.getFirst().leader();
        return nodes.stream()
                .filter(node -> ("leader n" + node.number).equals(name))
                .findFirst()
                .orElseThrow();
    }

    private LogNodeProcess other(LogNodeProcess... not) {
        return nodes.stream()
                .filter(node -> !List.of(not).contains(node))
                .findFirst()
                .orElseThrow();
    }

    private void allAgree() {
        long deadline = System.nanoTime() + LogNodeProcess.TIMEOUT.toNanos();
        while (nodes.stream().map(this::state).distinct().count() > 1) {
            assertThat(System.nanoTime()).isLessThan(deadline);
        }
    }

    private String state(LogNodeProcess node) {
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
        propose(other(killed));
        assertSoon(since);
        startNode(killed);
        assertThat(killed.nextLine()).isEqualTo("up");
        propose(killed);
        allAgree();
    }

    @Test
    void a_paused_leader_is_replaced_and_continues_as_a_follower() {
        var paused = leader();
        long since = System.nanoTime();
        paused.signal("STOP");
        paused.send("propose old");
        propose(other(paused));
        assertSoon(since);
        paused.signal("CONT");
        assertThat(paused.nextLine()).containsAnyOf("done old", "failed old");
        propose(other(paused));
        allAgree();
    }

    @Test
    void a_follower_that_returns_from_a_long_pause_does_not_depose_the_leader() {
        var leader = leader();
        var paused = other(leader);
        var term = term(leader);
        paused.signal("STOP");
        long until = System.nanoTime() + SEVERAL_ELECTION_TIMEOUTS.toNanos();
        while (System.nanoTime() - until < 0) {
            propose(leader);
        }
        paused.signal("CONT");
        propose(paused);
        allAgree();
        assertThat(leader().number).isEqualTo(leader.number);
        assertThat(term(leader)).isEqualTo(term);
    }

    private static String term(LogNodeProcess node) {
        node.send("term");
        return node.awaitLine("term");
    }

    @Test
    void a_leader_that_stops_hands_over_before_it_ends() {
        var stopping = leader();
        stopping.send("close");
        stopping.awaitLine("closed");
        assertThat(stopping.leader()).isNotIn("leader none", "leader n" + stopping.number);
        propose(other(stopping));
    }

    /** The leader steps down; the paused nodes resume and still believe in it, so no node sees a reason to elect. */
    @Test
    void after_a_pause_of_a_majority_there_is_a_leader_again() {
        var leader = leader();
        var others = nodes.stream().filter(node -> node != leader).toList();
        others.forEach(node -> node.signal("STOP"));
        long deadline = System.nanoTime() + LogNodeProcess.TIMEOUT.toNanos();
        while (!leader.leader().equals("leader none")) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            state(leader);
        }
        others.forEach(node -> node.signal("CONT"));
        propose(leader);
        allAgree();
    }

    @Test
    void acknowledged_entries_survive_the_kill_of_all_nodes() {
        nodes.forEach(LogNodeProcess::kill);
        nodes.forEach(this::startNode);
        nodes.forEach(node -> assertThat(node.nextLine()).isEqualTo("up"));
        propose(nodes.getFirst());
        allAgree();
        assertThat(Integer.parseInt(state(nodes.getFirst()).split(" ", -1)[1])).isBetween(acknowledged, proposals);
    }
}
