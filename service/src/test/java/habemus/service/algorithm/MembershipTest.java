package habemus.service.algorithm;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.mutex.Central;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.service.trace.NodeTrace;
import habemus.service.trace.RecordedRun;
import habemus.service.trace.RecordedStep;
import habemus.service.trace.TraceWriter;
import habemus.service.transport.Member;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes that join and leave while the others run, on real sockets. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class MembershipTest {

    private static final String LOCK = "orders";
    private static final String ELECTION = "boss";

    @TempDir
    private Path folder;

    private final Map<Integer, AlgorithmNode> nodes = new TreeMap<>();
    private List<Member> addresses = List.of(); // of the members of the start, and of those that join
    private UnaryOperator<AlgorithmNodeConfig> settings = UnaryOperator.identity();
    private String locks = "central";
    private String elections = "bully";

    private void start(String lockAlgorithm, String electionAlgorithm) {
        locks = lockAlgorithm;
        elections = electionAlgorithm;
        addresses = TestClusters.members(6);
        var starting = IntStream.rangeClosed(1, 3)
                .mapToObj(number -> async(() -> restart(number)))
                .toList();
        starting.forEach(CompletableFuture::join);
    }

    private static CompletableFuture<Void> async(Runnable task) {
        return CompletableFuture.runAsync(task, action -> Thread.ofVirtual().start(action));
    }

    private void restart(int number) {
        put(number, AlgorithmNodeConfig.of(addresses.subList(0, 3), new NodeId(number), locks, elections));
    }

    private void join(int number) {
        var known = List.of(addresses.getFirst(), addresses.get(number - 1));
        put(number, AlgorithmNodeConfig.ofJoining(known, new NodeId(number), locks, elections));
    }

    private void put(int number, AlgorithmNodeConfig config) {
        var node = AlgorithmNode.start(settings.apply(config));
        synchronized (nodes) {
            nodes.put(number, node);
        }
    }

    private AlgorithmNode node(int number) {
        synchronized (nodes) {
            return nodes.get(number);
        }
    }

    private void crash(int number) {
        nodes.remove(number).close();
    }

    /** Lets a node leave, and closes it. */
    private void leave(int number) throws Exception {
        node(1).remove(new NodeId(number)).get(20, SECONDS);
        node(number).departure().get(20, SECONDS);
        AlgorithmNode left;
        synchronized (nodes) {
            left = nodes.remove(number);
        }
        left.close();
    }

    @AfterEach
    void stop() {
        nodes.values().forEach(AlgorithmNode::close);
    }

    private void enter(int number) throws Exception {
        var ticket = node(number).acquire(LOCK, "test");
        ticket.granted().get(20, SECONDS);
        node(number).release(LOCK, ticket);
        ticket.ended().get(20, SECONDS);
    }

    private void awaitMembers(int... numbers) {
        var expected = IntStream.of(numbers).boxed().toList();
        await(
                () -> nodes.values().stream().allMatch(node -> numbers(node).equals(expected)),
                () -> "all members to know " + expected + ", they know "
                        + nodes.values().stream().map(MembershipTest::numbers).toList());
    }

    private static void await(BooleanSupplier condition, Supplier<String> what) {
        long end = System.nanoTime() + SECONDS.toNanos(20);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(what.get());
            }
            LockSupport.parkNanos(MILLISECONDS.toNanos(5));
        }
    }

    private static List<Integer> numbers(AlgorithmNode node) {
        return node.members().stream().map(member -> member.node().number()).toList();
    }

    /** The leaders that the nodes announce; zero for none. */
    private Set<Integer> leaders() {
        return nodes.values().stream()
                .map(node -> node.statuses().join().stream()
                        .filter(status -> status.group().name().equals(ELECTION))
                        .map(GroupStatus::leader)
                        .findFirst()
                        .orElse(0))
                .collect(Collectors.toSet());
    }

    private int awaitLeader() {
        await(
                () -> leaders().size() == 1
                        && nodes.containsKey(leaders().iterator().next()),
                () -> "one leader among the members, they announce " + leaders());
        return leaders().iterator().next();
    }

    @ParameterizedTest
    @ValueSource(strings = {"central", "token-ring"})
    void a_new_member_gets_the_lock_and_after_a_leave_the_others_go_on(String algorithm) throws Exception {
        start(algorithm, "bully");
        enter(2);
        join(4);
        enter(4);
        enter(3);
        leave(2);
        awaitMembers(1, 3, 4);
        for (int number : List.of(1, 3, 4)) {
            enter(number);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "bully", "bully-efficient", "bully-stable", "max-alive", "term-majority"})
    void a_new_member_takes_part_in_the_election_and_a_leader_that_leaves_is_replaced(String algorithm)
            throws Exception {
        start("central", algorithm);
        nodes.values().forEach(node -> node.campaign(ELECTION));
        awaitLeader();
        join(4);
        int leader = awaitLeader();
        leave(leader == 1 ? 2 : leader);
        assertThat(awaitLeader()).isNotEqualTo(leader == 1 ? 2 : leader);
        assertThat(nodes.values()).allSatisfy(node -> assertThat(node.failure()).isNotDone());
    }

    @ParameterizedTest
    @ValueSource(strings = {"central", "token-ring"})
    void there_is_never_more_than_one_holder_while_members_change_under_load(String algorithm) throws Exception {
        start(algorithm, "bully");
        var holders = new AtomicInteger();
        var maxHolders = new AtomicInteger();
        var entries = new AtomicInteger();
        var isOver = new AtomicBoolean();
        var workers = new ArrayList<CompletableFuture<Void>>();
        for (int number : List.of(1, 3)) {
            workers.add(load(number, isOver, holders, maxHolders, entries));
        }
        for (int joiner : List.of(4, 5)) {
            join(joiner);
            workers.add(load(joiner, isOver, holders, maxHolders, entries));
            int before = entries.get();
            await(() -> entries.get() > before + 20, () -> "entries after a join");
        }
        leave(2);
        int before = entries.get();
        await(() -> entries.get() > before + 20, () -> "entries after a leave");
        isOver.set(true);
        for (var worker : workers) {
            worker.get(20, SECONDS);
        }
        assertThat(maxHolders).hasValue(1);
        leave(4);
        enter(5);
    }

    private CompletableFuture<Void> load(
            int number, AtomicBoolean isOver, AtomicInteger holders, AtomicInteger maxHolders, AtomicInteger entries) {
        var node = node(number);
        return async(() -> {
            while (!isOver.get()) {
                var ticket = node.acquire(LOCK, "worker");
                ticket.granted().join();
                maxHolders.accumulateAndGet(holders.incrementAndGet(), Math::max);
                entries.incrementAndGet();
                holders.decrementAndGet();
                node.release(LOCK, ticket);
                ticket.ended().join(); // a node cannot leave before
            }
        });
    }

    @Test
    void changes_that_are_asked_for_at_once_happen_one_after_the_other() throws Exception {
        start("token-ring", "term-majority");
        enter(1);
        var changes = List.of(
                async(() -> join(4)),
                async(() -> join(5)),
                node(1).remove(new NodeId(2)),
                node(1).remove(new NodeId(3)));
        for (var change : changes) {
            change.get(20, SECONDS);
        }
        crash(2);
        crash(3);
        awaitMembers(1, 4, 5);
        enter(4);
        enter(5);
    }

    @Test
    void a_member_that_was_down_learns_of_the_changes_when_it_is_back() throws Exception {
        start("central", "max-alive");
        enter(3);
        crash(3);
        join(4);
        leave(2);
        restart(3);
        awaitMembers(1, 3, 4);
        enter(3);
        node(3).campaign(ELECTION);
        assertThat(awaitLeader()).isEqualTo(4);
    }

    @Test
    void a_group_that_starts_after_a_change_starts_in_the_latest_view() throws Exception {
        start("token-ring", "term-majority");
        join(4);
        leave(2);
        enter(3);
        enter(4);
        node(3).campaign(ELECTION);
        awaitLeader();
        join(5);
        enter(5);
        awaitLeader();
    }

    @Test
    void the_coordinator_learns_the_views_from_the_members_after_a_restart_without_a_disk() throws Exception {
        start("central", "bully");
        join(4);
        crash(1);
        restart(1);
        awaitMembers(1, 2, 3, 4);
        leave(4);
        awaitMembers(1, 2, 3);
    }

    @Test
    void all_nodes_restart_in_the_views_that_are_on_their_disks() throws Exception {
        settings = config -> config.withDataFolder(folder.resolve(config.self().toString()));
        start("token-ring", "term-majority");
        node(1).campaign(ELECTION);
        awaitLeader();
        join(4);
        leave(2);
        awaitLeader();
        for (int number : List.of(1, 3, 4)) {
            crash(number);
        }
        var starting = List.of(async(() -> restart(1)), async(() -> restart(3)), async(() -> join(4)));
        starting.forEach(CompletableFuture::join);
        awaitMembers(1, 3, 4);
        node(3).campaign(ELECTION);
        awaitLeader();
        assertThatThrownBy(() -> restart(2)).hasMessageStartingWith("n2 has left");
    }

    private void assertRefused(CompletableFuture<Void> change, String message, String hint) {
        assertThatThrownBy(() -> change.get(20, SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(MembershipException.class, refused -> {
                    assertThat(refused).hasMessage(message);
                    assertThat(refused.hint()).isEqualTo(hint);
                });
    }

    @Test
    void the_members_of_other_algorithms_are_fixed() {
        start("ricart-agrawala", "bully");
        var message = "ricart-agrawala cannot change its members (they are fixed at the start)";
        assertRefused(node(1).remove(new NodeId(2)), message, "these can: central, token-ring");
        assertThatThrownBy(() -> join(4))
                .isInstanceOf(MembershipException.class)
                .hasMessage(message);
    }

    @Test
    void a_leave_is_refused_with_the_reason() throws Exception {
        start("central", "bully");
        assertRefused(
                node(2).remove(new NodeId(1)),
                "n1 runs the membership service, and cannot leave",
                "let another node leave");
        assertThatThrownBy(() -> node(2).remove(new NodeId(7)).get(20, SECONDS)).hasMessageContaining("not a member");
        var ticket = node(2).acquire(LOCK, "test");
        ticket.granted().get(20, SECONDS);
        assertRefused(
                node(3).remove(new NodeId(2)),
                "n2 cannot leave while its clients hold or wait for locks or leaderships",
                "release them, and try again");
        node(2).release(LOCK, ticket);
        crash(3);
        assertRefused(
                node(2).remove(new NodeId(3)),
                "n3 is down (a node leaves while it is up)",
                "start n3 again, then let it leave");
        leave(2);
    }

    @Test
    void while_the_coordinator_is_down_no_change_happens() throws Exception {
        start("central", "bully");
        crash(1);
        await(() -> node(2).presentPeers().size() == 1, () -> "n2 to suspect n1");
        assertRefused(
                node(2).remove(new NodeId(3)),
                "n1 is down, which runs the membership service: the members cannot change",
                "start n1 again");
    }

    @Test
    void a_node_that_has_left_does_not_come_back_and_other_algorithms_do_not_join() throws Exception {
        start("central", "bully");
        leave(2);
        assertThatThrownBy(() -> join(2)).hasMessageContaining("n2 has left (a number is used once)");
        elections = "max-alive";
        assertThatThrownBy(() -> join(4)).hasMessageStartingWith("the algorithms must be the same on all nodes");
        assertThat(numbers(node(1))).containsExactly(1, 3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"central", "token-ring"})
    void a_recorded_run_with_changes_conforms_and_keeps_the_guarantees(String algorithm) throws Exception {
        settings = config -> config.withTraceFolder(folder);
        start(algorithm, "bully");
        enter(2);
        join(4);
        enter(4);
        leave(2);
        enter(3);
        nodes.values().forEach(AlgorithmNode::close);
        var run = RecordedRun.read(List.of(folder), true).getFirst();
        assertThat(run.differences()).isEmpty();
        assertThat(run.notes()).isEmpty();
        assertThat(run.nodes()).extracting(NodeId::number).containsExactly(1, 2, 3, 4);
        assertThat(run.runResult().entries()).isEqualTo(3);
        assertThat(run.guaranteed()).isNotEmpty();
        assertThat(run.isCorrect()).as(run.runResult().toString()).isTrue();
    }

    @Test
    void a_recorded_run_with_a_wrong_step_of_a_leave_does_not_conform() throws Exception {
        settings = config -> config.withTraceFolder(folder);
        start("central", "bully");
        enter(2);
        leave(2);
        enter(3);
        nodes.values().forEach(AlgorithmNode::close);
        var protocol = new Central(Duration.ZERO, false);
        for (Path file : traces("n1")) {
            var trace = NodeTrace.read(file, protocol);
            Files.delete(file);
            try (var writer = new TraceWriter<>(file, trace.header(), protocol)) {
                for (var step : trace.steps()) {
                    writer.write(withWaiterThatHasLeft(step));
                }
            }
        }
        var run = RecordedRun.read(List.of(folder), false).getFirst();
        assertThat(run.differences()).singleElement().asString().startsWith("n1#");
        assertThat(run.isCorrect()).isFalse();
    }

    private List<Path> traces(String node) throws IOException {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().contains("mutex-" + LOCK + "." + node + "."))
                    .toList();
        }
    }

    /** n2 waits for the lock in the state after its leave, as if the coordinator had not heard of the leave. */
    private static RecordedStep<Central.State, Central.Message> withWaiterThatHasLeft(
            RecordedStep<Central.State, Central.Message> step) {
        return step instanceof RecordedStep.Stepped<Central.State, Central.Message> stepped
                        && stepped.event() instanceof Event.Left
                ? new RecordedStep.Stepped<>(
                        stepped.at(),
                        stepped.event(),
                        stepped.arrival(),
                        new Central.State(
                                stepped.state().phase(),
                                stepped.state().lastFence(),
                                new Central.Coordinator(
                                        List.of(new NodeId(2)),
                                        stepped.state().coordinator().fence())),
                        stepped.effects(),
                        stepped.firstMessageNumber())
                : step;
    }
}
