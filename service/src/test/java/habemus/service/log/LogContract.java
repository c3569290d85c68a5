package habemus.service.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import habemus.service.node.Clusters;
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
abstract class LogContract {

    private final int nodes;
    final List<Member> members;
    final Map<NodeId, Log> logs = new TreeMap<>();
    final Map<NodeId, Notebook> notebooks = new TreeMap<>();

    LogContract(int nodes) {
        this.nodes = nodes;
        members = Clusters.members(nodes + 1); // one of which is not yet a member
    }

    /** A node that is not started; each time with the files that it had before. */
    abstract Log open(List<Member> first, NodeId node, boolean joining);

    /** Without a word. */
    abstract void kill(Log log);

    final Log start(NodeId node, boolean joining) {
        var log = open(joining ? members : members.subList(0, nodes), node, joining);
        var notebook = new Notebook();
        log.start(notebook);
        logs.put(node, log);
        notebooks.put(node, notebook);
        return log;
    }

    final void startAll() {
        var starting = members.subList(0, nodes).stream()
                .map(member -> CompletableFuture.runAsync(
                        () -> {
                            var log = open(members.subList(0, nodes), member.node(), false);
                            var notebook = new Notebook();
                            log.start(notebook);
                            synchronized (logs) {
                                logs.put(member.node(), log);
                                notebooks.put(member.node(), notebook);
                            }
                        },
                        task -> Thread.ofPlatform().start(task)))
                .toList();
        starting.forEach(CompletableFuture::join);
    }

    final Log log(int node) {
        return logs.get(new NodeId(node));
    }

    final Notebook notebook(int node) {
        return notebooks.get(new NodeId(node));
    }

    final NodeId leader() {
        until(() -> notebooks.values().stream()
                .allMatch(notebook -> notebook.leader().isPresent()
                        && notebook.leader()
                                .equals(notebooks.values().iterator().next().leader())
                        && logs.containsKey(notebook.leader().get())));
        return notebooks.values().iterator().next().leader().orElseThrow();
    }

    static void until(BooleanSupplier condition) {
        long deadline = System.nanoTime() + SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.onSpinWait();
            java.util.concurrent.locks.LockSupport.parkNanos(2_000_000);
        }
    }

    static void propose(Log log, String... lines) throws Exception {
        var all = new ArrayList<CompletableFuture<Void>>();
        for (String line : lines) {
            all.add(log.propose(line.getBytes(UTF_8)));
        }
        for (var one : all) {
            one.get(30, SECONDS);
        }
    }

    static String[] lines(String prefix, int count) {
        return IntStream.rangeClosed(1, count).mapToObj(i -> prefix + i).toArray(String[]::new);
    }

    final void allHave(List<String> lines) {
        for (var notebook : notebooks.values()) {
            until(() -> notebook.lines().size() >= lines.size());
            assertThat(notebook.lines()).isEqualTo(lines);
        }
    }

    @AfterEach
    void close() {
        logs.values().forEach(Log::close);
        notebooks.values().forEach(notebook -> assertThat(notebook.wrong()).isEmpty());
    }

    @Test
    void a_proposal_is_applied_here_before_its_future_completes() throws Exception {
        startAll();
        for (var log : logs.entrySet()) {
            for (int i = 0; i < 20; i++) {
                var line = log.getKey() + "-" + i;
                propose(log.getValue(), line);
                assertThat(notebooks.get(log.getKey()).lines()).contains(line);
            }
        }
    }

    @Test
    void proposals_of_all_nodes_are_committed_once_and_told_everywhere_in_one_order() throws Exception {
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
        until(() -> notebooks.values().stream()
                .allMatch(notebook -> notebook.lines().size() >= expected.size()));
        var first = notebook(1).lines();
        assertThat(first).hasSize(expected.size()).containsExactlyInAnyOrderElementsOf(expected);
        allHave(first);
    }

    @Test
    void those_of_one_node_keep_their_order() throws Exception {
        startAll();
        leader();
        propose(log(nodes), lines("a", 200));
        assertThat(notebook(nodes).lines()).containsExactly(lines("a", 200));
    }

    @Test
    void all_is_there_after_a_restart_of_all() throws Exception {
        startAll();
        propose(log(1), lines("a", 50));
        logs.values().forEach(Log::close);
        logs.clear();
        notebooks.clear();
        startAll();
        allHave(List.of(lines("a", 50)));
        propose(log(1), "b");
        allHave(concat(lines("a", 50), "b"));
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
        allHave(List.of(lines("a", 500)));
        long before = log(1).counts().bytes();
        for (var log : logs.values()) {
            log.compact().get(10, SECONDS);
        }
        assertThat(log(1).counts().bytes()).isLessThan(before / 10);
        propose(log(1), "b");
        logs.values().forEach(Log::close);
        logs.clear();
        notebooks.clear();
        startAll();
        allHave(concat(lines("a", 500), "b"));
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
