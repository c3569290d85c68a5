package habemus.service.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.algorithm.TestClusters;
import habemus.service.transport.Member;
import habemus.service.transport.NettyEventLoop;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of every implementation of {@link ReplicatedLog}. */
public abstract class ReplicatedLogContract {

    private final int nodes;
    protected final List<Member> members;
    protected final Map<NodeId, ReplicatedLog> logs = new TreeMap<>();
    protected final Map<NodeId, RecordingStateMachine> stateMachines = new TreeMap<>();
    private final Queue<NettyEventLoop> loops = new ConcurrentLinkedQueue<>();
    private String firstEntries = "";

    protected ReplicatedLogContract(int nodes) {
        this.nodes = nodes;
        members = TestClusters.members(nodes + 1); // the last one is not a member at first
    }

    /** Creates a node without starting it. A second call for the same node reuses its files. */
    protected abstract ReplicatedLog open(List<Member> first, NodeId node, boolean joining);

    /** An event loop that is closed after the test. */
    protected final NettyEventLoop newLoop(NodeId node) {
        var loop = new NettyEventLoop("log-" + node);
        loops.add(loop);
        return loop;
    }

    /** Stops the node as a crash does. */
    protected abstract void kill(ReplicatedLog log);

    protected final ReplicatedLog start(NodeId node, boolean joining) {
        var log = open(joining ? members : members.subList(0, nodes), node, joining);
        var stateMachine = new RecordingStateMachine(firstEntries);
        log.start(stateMachine);
        logs.put(node, log);
        stateMachines.put(node, stateMachine);
        return log;
    }

    protected final void startAll() {
        var starting = members.subList(0, nodes).stream()
                .map(member -> CompletableFuture.runAsync(
                        () -> {
                            var log = open(members.subList(0, nodes), member.node(), false);
                            var stateMachine = new RecordingStateMachine(firstEntries);
                            log.start(stateMachine);
                            synchronized (logs) {
                                logs.put(member.node(), log);
                                stateMachines.put(member.node(), stateMachine);
                            }
                        },
                        task -> Thread.ofPlatform().start(task)))
                .toList();
        starting.forEach(CompletableFuture::join);
    }

    protected final ReplicatedLog log(int node) {
        return logs.get(new NodeId(node));
    }

    protected final RecordingStateMachine stateMachine(int node) {
        return stateMachines.get(new NodeId(node));
    }

    protected final NodeId leader() {
        await(() -> stateMachines.values().stream()
                .allMatch(stateMachine -> stateMachine.leader().isPresent()
                        && stateMachine
                                .leader()
                                .equals(stateMachines.values().iterator().next().leader())
                        && logs.containsKey(stateMachine.leader().get())));
        return stateMachines.values().iterator().next().leader().orElseThrow();
    }

    public static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
        }
    }

    protected static void propose(ReplicatedLog log, String... lines) throws Exception {
        var all = new ArrayList<CompletableFuture<Void>>();
        for (String line : lines) {
            all.add(log.propose(line.getBytes(UTF_8)));
        }
        for (var result : all) {
            result.get(30, SECONDS);
        }
    }

    protected static String[] lines(String prefix, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> prefix + i).toArray(String[]::new);
    }

    protected final void assertAllApplied(List<String> lines) {
        for (var stateMachine : stateMachines.values()) {
            await(() -> stateMachine.entries().size() >= lines.size());
            assertThat(stateMachine.entries()).isEqualTo(lines);
        }
    }

    @AfterEach
    void close() {
        logs.values().forEach(ReplicatedLog::close);
        loops.forEach(NettyEventLoop::close);
        stateMachines
                .values()
                .forEach(stateMachine -> assertThat(stateMachine.violations()).isEmpty());
    }

    @Test
    void a_proposal_is_applied_here_before_its_future_completes() throws Exception {
        startAll();
        for (var log : logs.entrySet()) {
            for (int i = 0; i < 20; i++) {
                var line = log.getKey() + "-" + i;
                propose(log.getValue(), line);
                assertThat(stateMachines.get(log.getKey()).entries()).contains(line);
            }
        }
    }

    @Test
    void proposals_of_all_nodes_are_applied_once_and_in_the_same_order_everywhere() throws Exception {
        startAll();
        var futures = new ArrayList<CompletableFuture<Void>>();
        var expected = new HashSet<String>();
        for (int i = 0; i < 300; i++) {
            for (var log : logs.entrySet()) {
                var line = log.getKey() + "-" + i;
                expected.add(line);
                futures.add(log.getValue().propose(line.getBytes(UTF_8)));
            }
        }
        for (var future : futures) {
            future.get(30, SECONDS);
        }
        await(() -> stateMachines.values().stream()
                .allMatch(stateMachine -> stateMachine.entries().size() >= expected.size()));
        var first = stateMachine(1).entries();
        assertThat(first).hasSize(expected.size()).containsExactlyInAnyOrderElementsOf(expected);
        assertAllApplied(first);
    }

    @Test
    void proposals_of_one_node_keep_their_order() throws Exception {
        startAll();
        leader();
        propose(log(nodes), lines("a", 200));
        assertThat(stateMachine(nodes).entries()).containsExactly(lines("a", 200));
    }

    @Test
    void entries_survive_a_restart_of_all_nodes() throws Exception {
        startAll();
        propose(log(1), lines("a", 50));
        logs.values().forEach(ReplicatedLog::close);
        logs.clear();
        stateMachines.clear();
        startAll();
        assertAllApplied(List.of(lines("a", 50)));
        propose(log(1), "b");
        assertAllApplied(concat(lines("a", 50), "b"));
    }

    protected static List<String> concat(String[] first, String... second) {
        var all = new ArrayList<>(List.of(first));
        all.addAll(List.of(second));
        return all;
    }

    @Test
    void a_new_log_begins_with_the_first_snapshot_at_every_node() throws Exception {
        firstEntries = "first";
        startAll();
        propose(log(1), "a");
        assertAllApplied(List.of("first", "a"));
    }

    @Test
    void a_snapshot_replaces_entries() throws Exception {
        startAll();
        propose(log(1), lines("a", 500));
        assertAllApplied(List.of(lines("a", 500)));
        long before = log(1).stats().logBytes();
        for (var log : logs.values()) {
            log.compact().get(10, SECONDS);
        }
        assertThat(log(1).stats().logBytes()).isLessThan(before / 10);
        propose(log(1), "b");
        logs.values().forEach(ReplicatedLog::close);
        logs.clear();
        stateMachines.clear();
        startAll();
        assertAllApplied(concat(lines("a", 500), "b"));
        assertThat(stateMachine(1).restored()).isPositive();
    }

    @Test
    void a_closed_log_rejects_proposals() {
        startAll();
        log(1).close();
        assertThatThrownBy(() -> log(1).propose(new byte[0]).get(30, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .hasCauseInstanceOf(RuntimeException.class);
    }
}
