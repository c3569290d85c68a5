package habemus.log.postgresql;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.concurrent.EventLoop;
import habemus.log.postgresql.SimulatedDatabase.Defect;
import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.log.ProposalRejectedException;
import habemus.service.log.ReplicatedLog;
import habemus.service.transport.Member;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Three nodes and a database in virtual time, with faults drawn from a seed. Collects what violates the properties. */
final class SimulatedWorld {

    private static final Duration FAULTY = Duration.ofSeconds(30);
    private static final Duration END = Duration.ofSeconds(50);

    private record Task(long at, long order, Runnable action) {}

    private final Random random;
    private final SimulatedDatabase database;
    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::order));
    private final List<Node> nodes = new ArrayList<>();
    private final List<Node> replaced = new ArrayList<>(); // by another process of their name
    private final List<String> violations = new ArrayList<>();
    private final Set<String> acknowledged = new HashSet<>();
    private final Set<String> rejected = new HashSet<>();
    private final boolean failsOver;
    private long now;
    private long taskCount;
    private boolean hasLost;

    private SimulatedWorld(long seed, boolean failsOver, Set<Defect> defects) {
        random = new Random(seed);
        this.failsOver = failsOver;
        database = new SimulatedDatabase(defects, () -> now);
    }

    /** The violations of one run; empty if all properties hold. */
    static List<String> run(long seed, boolean failsOver, Set<Defect> defects) {
        var world = new SimulatedWorld(seed, failsOver, defects);
        world.run();
        return world.violations;
    }

    private boolean isFaulty() {
        return now < FAULTY.toNanos();
    }

    private void after(long millis, Runnable action) {
        tasks.add(new Task(now + Duration.ofMillis(millis).toNanos(), taskCount++, action));
    }

    private void run() {
        for (int i = 1; i <= 3; i++) {
            var node = new Node(i);
            nodes.add(node);
            after(i, node::start);
        }
        if (failsOver) {
            after(3_000 + random.nextInt(25_000), () -> failOver(1 + random.nextInt(4)));
        }
        while (!tasks.isEmpty() && tasks.peek().at < END.toNanos()) {
            var task = tasks.remove();
            now = task.at;
            task.action.run();
        }
        checkEnd();
    }

    private void failOver(int transactions) {
        var lost = database.failOver(transactions).stream()
                .flatMap(row -> row.entries().stream().map(entry -> new String(entry, UTF_8)))
                .toList();
        hasLost |= !lost.isEmpty();
        nodes.forEach(node ->
                node.lost.addAll(node.entries.stream().filter(lost::contains).toList()));
    }

    private void checkEnd() {
        var running = nodes.stream().filter(node -> !node.hasFailed()).toList();
        nodes.stream()
                .filter(node -> node.hasFailed() && !hasLost)
                .forEach(node -> violations.add(
                        node.self + " stopped: " + node.log.failure().join()));
        replaced.stream()
                .filter(node -> !failsOver && !node.isCrashed && !node.hasFailed())
                .forEach(node -> violations.add("a replaced process of " + node.self + " still runs"));
        if (!running.isEmpty()) {
            var entries = running.getFirst().entries;
            running.stream()
                    .filter(node -> !node.entries.equals(entries))
                    .forEach(node -> violations.add(node.self + " has other entries than " + running.getFirst().self));
            running.stream()
                    .filter(node -> !entries.containsAll(node.lost)) // its proposer may have proposed it again
                    .forEach(node -> violations.add(node.self + " has not noticed that entries were lost"));
            check(database.staleAppends() == 0, "a stale node has appended");
            check(
                    running.stream().map(node -> node.leader).distinct().count() == 1
                            && running.getFirst().leader.isPresent(),
                    "the nodes do not agree on a leader");
            checkEntries(entries);
        }
    }

    private void checkEntries(List<String> entries) {
        check(new HashSet<>(entries).size() == entries.size(), "an entry was applied twice");
        check(entries.stream().noneMatch(rejected::contains), "a rejected entry was applied");
        check(hasLost || entries.containsAll(acknowledged), "an acknowledged entry was lost");
        check(
                hasLost || entries.stream().anyMatch(entry -> entry.endsWith("last")),
                "nothing is committed after the faults");
        for (var node : nodes) {
            var own = entries.stream()
                    .filter(entry -> entry.startsWith(node.name))
                    .toList();
            check(own.equals(own.stream().sorted().toList()), "entries of " + node.self + " changed their order");
        }
    }

    private void check(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }

    /** A node with its loop, which can be paused, and its connections. */
    private final class Node implements EventLoop, ReplicatedLog.StateMachine {

        private final NodeId self;
        private final Member member;
        private final long life;
        private final PostgresLog log;
        private List<String> entries = new ArrayList<>();
        private Optional<NodeId> leader = Optional.empty();
        private long pausedUntil;
        private final String name;
        private final Queue<Runnable> backlog = new ArrayDeque<>(); // since it was paused
        private int proposed;
        private boolean isCrashed;
        private final Set<String> lost = new HashSet<>(); // entries that it had applied before a failover

        Node(int number) {
            self = new NodeId(number);
            member = new Member(self, InetSocketAddress.createUnresolved("node", 7_600 + number));
            life = random.nextLong();
            name = self + "-" + replaced.size() + "-";
            var config = EngineConfig.of(
                            new EngineConfig.Engine("jdbc:postgresql:", Optional.empty()), "habemus", member, 1 << 20)
                    .withProposalTimeout(Duration.ofSeconds(3));
            log = new PostgresLog(config, this, new Tables(), life, random);
        }

        boolean hasFailed() {
            return log.failure().isDone();
        }

        void start() {
            log.start(this);
            after(100, this::work);
            after(2_000, this::disturb);
        }

        @SuppressWarnings("FutureReturnValueIgnored") // the callback records the outcome
        private void work() {
            if (hasFailed() || isCrashed) {
                return;
            }
            boolean isLast = !isFaulty();
            var line = name + "%05d".formatted(proposed++) + (isLast ? "-last" : "");
            log.propose(line.getBytes(UTF_8)).whenComplete((nothing, failed) -> {
                if (failed == null) {
                    acknowledged.add(line);
                } else if (failed instanceof ProposalRejectedException) {
                    rejected.add(line);
                }
            });
            if (random.nextInt(10) == 0) {
                log.compact();
            }
            if (!isLast) {
                after(1 + random.nextInt(100), this::work);
            }
        }

        private void disturb() {
            if (isFaulty() && !hasFailed() && !replaced.contains(this)) {
                if (random.nextInt(8) == 0) {
                    restart();
                    return;
                }
                if (random.nextInt(3) == 0) {
                    pausedUntil = now + Duration.ofMillis(random.nextInt(5_000)).toNanos();
                }
                after(500 + random.nextInt(3_000), this::disturb);
            }
        }

        /** Another process of the same name starts. This one has crashed, or still runs. */
        private void restart() {
            replaced.add(this);
            if (random.nextBoolean()) {
                isCrashed = true;
                log.crash();
            }
            var next = new Node(self.number());
            nodes.set(nodes.indexOf(this), next);
            after(1 + random.nextInt(1_000), next::start);
        }

        // ---- the loop ----

        @Override
        public void execute(Runnable task) {
            after(0, () -> runUnlessPaused(task));
        }

        private void runUnlessPaused(Runnable task) {
            backlog.add(task);
            if (now < pausedUntil) {
                tasks.add(new Task(pausedUntil, taskCount++, this::runBacklog));
            } else {
                runBacklog();
            }
        }

        private void runBacklog() {
            while (now >= pausedUntil && !backlog.isEmpty()) {
                backlog.remove().run();
            }
        }

        @Override
        public Cancellable schedule(Duration delay, Runnable task) {
            after(delay.toMillis(), () -> runUnlessPaused(task));
            return () -> {};
        }

        @Override
        public boolean inEventLoop() {
            return true;
        }

        @Override
        public long nanoTime() {
            return now;
        }

        // ---- the state machine ----

        @Override
        public void apply(long index, byte[] entry) {
            entries.add(new String(entry, UTF_8));
        }

        @Override
        public Supplier<byte[]> snapshot() {
            var text = String.join("\n", entries);
            return () -> text.getBytes(UTF_8);
        }

        @Override
        public void restore(byte[] snapshot) {
            entries = new ArrayList<>(new String(snapshot, UTF_8).lines().toList());
        }

        @Override
        public void onLeaderChanged(Optional<NodeId> newLeader) {
            leader = newLeader;
        }

        /** Connections that delay calls, break before them, and break after them. */
        private final class Tables implements LogTables {

            private boolean isClosed;

            private <T> CompletableFuture<T> call(Supplier<T> transaction) {
                var answer = new CompletableFuture<T>();
                int fault = isFaulty() ? random.nextInt(12) : 12;
                long latency = 1L + random.nextInt(isFaulty() ? 40 : 3);
                if (fault == 0) { // refused
                    execute(() -> fail(answer));
                } else if (fault == 1) { // the answer is lost, or the call is still in flight when its client fails it
                    var lost = new CompletableFuture<T>();
                    after(random.nextInt(600), () -> lost.complete(transaction.get()));
                    after(random.nextInt(600), () -> execute(() -> fail(answer)));
                } else {
                    after(latency, () -> {
                        var result = transaction.get();
                        after(
                                latency,
                                () -> execute(() -> {
                                    if (!isClosed) {
                                        answer.complete(result);
                                    }
                                }));
                    });
                }
                return answer;
            }

            private void fail(CompletableFuture<?> answer) {
                if (!isClosed) {
                    answer.completeExceptionally(new DatabaseException("connection lost", new RuntimeException()));
                }
            }

            @Override
            public CompletableFuture<Joined> join(Supplier<byte[]> firstSnapshot, Runnable onAppended) {
                database.join(member, life, firstSnapshot.get());
                return CompletableFuture.completedFuture(new Joined("simulated", "id", random.nextBoolean()));
            }

            @Override
            public CompletableFuture<Outcome> append(long epoch, Batch batch) {
                return call(() -> database.append(self, life, epoch, batch));
            }

            @Override
            public CompletableFuture<List<Row>> read(long afterIndex) {
                return call(() -> database.read(afterIndex));
            }

            @Override
            public CompletableFuture<Snapshot> readSnapshot() {
                return proposed == 0
                        ? CompletableFuture.completedFuture(database.snapshot())
                        : call(database::snapshot);
            }

            @Override
            public CompletableFuture<Boolean> writeSnapshot(long index, long chain, Supplier<byte[]> state) {
                return call(() -> {
                    database.writeSnapshot(new Snapshot(index, chain, ByteString.of(state.get())));
                    return true;
                });
            }

            @Override
            public CompletableFuture<Observation> observe() {
                return call(() -> database.observe(self, life));
            }

            @Override
            public CompletableFuture<Boolean> takeOver(long epoch) {
                return call(() -> database.takeOver(self, life, epoch));
            }

            @Override
            public CompletableFuture<Boolean> remove(NodeId node) {
                return call(() -> {
                    database.remove(node);
                    return true;
                });
            }

            @Override
            public void leave() {}

            @Override
            public void close() {
                isClosed = true;
            }
        }
    }
}
