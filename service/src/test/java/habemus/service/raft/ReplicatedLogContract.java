package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.algorithm.TestClusters;
import habemus.service.transport.Member;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What every log keeps to. */
abstract class ReplicatedLogContract {

    private final int nodes;
    final List<Member> members;
    final Map<NodeId, ReplicatedLog> replicatedLogs = new TreeMap<>();
    final Map<NodeId, RecordingStateMachine> recordingStateMachines = new TreeMap<>();

    ReplicatedLogContract(int nodes) {
        this.nodes = nodes;
        members = TestClusters.members(nodes + 1); // one of which is not yet a member
    }

    /** A node that is not started; each time with the files that it had before. */
    abstract ReplicatedLog open(List<Member> first, NodeId node, boolean joining);

    /** Without a word. */
    abstract void kill(ReplicatedLog replicatedLog);

    final ReplicatedLog start(NodeId node, boolean joining) {
        var replicatedLog = open(joining ? members : members.subList(0, nodes), node, joining);
        var recordingStateMachine = new RecordingStateMachine();
        replicatedLog.start(recordingStateMachine);
        replicatedLogs.put(node, replicatedLog);
        recordingStateMachines.put(node, recordingStateMachine);
        return replicatedLog;
    }

    final void startAll() {
        var starting = members.subList(0, nodes).stream()
                .map(member -> CompletableFuture.runAsync(
                        () -> {
                            var replicatedLog = open(members.subList(0, nodes), member.node(), false);
                            var recordingStateMachine = new RecordingStateMachine();
                            replicatedLog.start(recordingStateMachine);
                            synchronized (replicatedLogs) {
                                replicatedLogs.put(member.node(), replicatedLog);
                                recordingStateMachines.put(member.node(), recordingStateMachine);
                            }
                        },
                        task -> Thread.ofPlatform().start(task)))
                .toList();
        starting.forEach(CompletableFuture::join);
    }

    final ReplicatedLog log(int node) {
        return replicatedLogs.get(new NodeId(node));
    }

    final RecordingStateMachine notebook(int node) {
        return recordingStateMachines.get(new NodeId(node));
    }

    final NodeId leader() {
        await(() -> recordingStateMachines.values().stream()
                .allMatch(
                        recordingStateMachine -> recordingStateMachine.leader().isPresent()
                                && recordingStateMachine
                                        .leader()
                                        .equals(recordingStateMachines
                                                .values()
                                                .iterator()
                                                .next()
                                                .leader())
                                && replicatedLogs.containsKey(
                                        recordingStateMachine.leader().get())));
        return recordingStateMachines.values().iterator().next().leader().orElseThrow();
    }

    static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
        }
    }

    static void propose(ReplicatedLog replicatedLog, String... lines) throws Exception {
        var all = new ArrayList<CompletableFuture<Void>>();
        for (String line : lines) {
            all.add(replicatedLog.propose(line.getBytes(UTF_8)));
        }
        for (var one : all) {
            one.get(30, SECONDS);
        }
    }

    static String[] lines(String prefix, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> prefix + i).toArray(String[]::new);
    }

    final void assertAllApplied(List<String> lines) {
        for (var recordingStateMachine : recordingStateMachines.values()) {
            await(() -> recordingStateMachine.entries().size() >= lines.size());
            assertThat(recordingStateMachine.entries()).isEqualTo(lines);
        }
    }

    @AfterEach
    void close() {
        replicatedLogs.values().forEach(ReplicatedLog::close);
        recordingStateMachines
                .values()
                .forEach(recordingStateMachine ->
                        assertThat(recordingStateMachine.violations()).isEmpty());
    }

    @Test
    void a_proposal_is_applied_here_before_its_future_completes() throws Exception {
        startAll();
        for (var replicatedLog : replicatedLogs.entrySet()) {
            for (int i = 0; i < 20; i++) {
                var line = replicatedLog.getKey() + "-" + i;
                propose(replicatedLog.getValue(), line);
                assertThat(recordingStateMachines.get(replicatedLog.getKey()).entries())
                        .contains(line);
            }
        }
    }

    @Test
    void proposals_of_all_nodes_are_committed_once_and_told_everywhere_in_one_order() throws Exception {
        startAll();
        var futures = new ArrayList<CompletableFuture<Void>>();
        var expected = new HashSet<String>();
        for (int i = 0; i < 300; i++) {
            for (var replicatedLog : replicatedLogs.entrySet()) {
                var line = replicatedLog.getKey() + "-" + i;
                expected.add(line);
                futures.add(replicatedLog.getValue().propose(line.getBytes(UTF_8)));
            }
        }
        for (var future : futures) {
            future.get(30, SECONDS);
        }
        await(() -> recordingStateMachines.values().stream()
                .allMatch(
                        recordingStateMachine -> recordingStateMachine.entries().size() >= expected.size()));
        var first = notebook(1).entries();
        assertThat(first).hasSize(expected.size()).containsExactlyInAnyOrderElementsOf(expected);
        assertAllApplied(first);
    }

    @Test
    void those_of_one_node_keep_their_order() throws Exception {
        startAll();
        leader();
        propose(log(nodes), lines("a", 200));
        assertThat(notebook(nodes).entries()).containsExactly(lines("a", 200));
    }

    @Test
    void all_is_there_after_a_restart_of_all() throws Exception {
        startAll();
        propose(log(1), lines("a", 50));
        replicatedLogs.values().forEach(ReplicatedLog::close);
        replicatedLogs.clear();
        recordingStateMachines.clear();
        startAll();
        assertAllApplied(List.of(lines("a", 50)));
        propose(log(1), "b");
        assertAllApplied(concat(lines("a", 50), "b"));
    }

    static List<String> concat(String[] first, String... second) {
        var all = new ArrayList<>(List.of(first));
        all.addAll(List.of(second));
        return all;
    }

    @Test
    void a_snapshot_takes_the_place_of_entries() throws Exception {
        startAll();
        propose(log(1), lines("a", 500));
        assertAllApplied(List.of(lines("a", 500)));
        long before = log(1).stats().logBytes();
        for (var replicatedLog : replicatedLogs.values()) {
            replicatedLog.compact().get(10, SECONDS);
        }
        assertThat(log(1).stats().logBytes()).isLessThan(before / 10);
        propose(log(1), "b");
        replicatedLogs.values().forEach(ReplicatedLog::close);
        replicatedLogs.clear();
        recordingStateMachines.clear();
        startAll();
        assertAllApplied(concat(lines("a", 500), "b"));
        assertThat(notebook(1).restored()).isEqualTo(1);
    }

    @Test
    void a_closed_log_refuses() {
        startAll();
        log(1).close();
        assertThatThrownBy(() -> log(1).propose(new byte[0]).get(30, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RuntimeException.class);
    }
}
