package habemus.log.postgresql;

import habemus.concurrent.EventLoop;
import habemus.log.postgresql.LogTables.Batch;
import habemus.log.postgresql.LogTables.Joined;
import habemus.log.postgresql.LogTables.NodeRow;
import habemus.log.postgresql.LogTables.Observation;
import habemus.log.postgresql.LogTables.Outcome;
import habemus.log.postgresql.LogTables.Row;
import habemus.log.postgresql.LogTables.Snapshot;
import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.log.IndeterminateOutcomeException;
import habemus.service.log.LogDivergedException;
import habemus.service.log.LogHealth;
import habemus.service.log.LogStats;
import habemus.service.log.ProposalRejectedException;
import habemus.service.log.ReplicatedLog;
import habemus.service.transport.Member;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replicated log in the tables of a database. Every node appends to it and reads it; the nodes have no connections to
 * each other. One of them leads, which only decides who ends expired sessions.
 *
 * <p>All state is on the event loop. The calls to the {@link LogTables} are asynchronous.
 */
final class PostgresLog implements ReplicatedLog {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresLog.class);

    /** How often a node counts its beat and looks for what it has missed. */
    static final Duration OBSERVE_INTERVAL = Duration.ofMillis(500);

    /** A leader without a beat for so long is replaced. */
    static final Duration LEADER_PATIENCE = Duration.ofSeconds(2);

    /** A node without a beat for so long is no member any more. */
    private static final Duration MEMBER_PATIENCE = Duration.ofMinutes(10);

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(100);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration SNAPSHOT_RETRY_INTERVAL = Duration.ofSeconds(5);
    private static final Duration SWEEP_INTERVAL = Duration.ofMillis(50);

    private final EngineConfig config;
    private final NodeId self;
    private final EventLoop loop;
    private final LogTables tables;
    private final long life;
    private final ProposalQueue proposals;
    private final RowReader reader = new RowReader(new ReaderLog());
    private final LeaderWatch leaders = new LeaderWatch(LEADER_PATIENCE);
    private final LeaderWatch membership = new LeaderWatch(MEMBER_PATIENCE);
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final AtomicLong applied = new AtomicLong();
    private final AtomicLong appended = new AtomicLong();
    private final AtomicLong snapshots = new AtomicLong();
    private final AtomicLong logBytes = new AtomicLong();
    private @Nullable StateMachine stateMachine;
    private Optional<NodeId> leader = Optional.empty();
    private Optional<String> appendProblem = Optional.empty();
    private Optional<String> readProblem = Optional.empty();
    private @Nullable CompletableFuture<Void> compaction; // the one that is running
    private long observedAtNanos;
    private volatile long epoch; // this and all below: read by any thread
    private volatile List<Member> members;
    private volatile boolean isFaultTolerant;
    private volatile boolean isClosed;
    private volatile Joined joined = new Joined("PostgreSQL", "", false);
    private volatile Optional<String> problem = Optional.empty();

    /** @param life a random number of this start of the node, which the tables know too */
    PostgresLog(EngineConfig config, EventLoop loop, LogTables tables, long life, RandomGenerator random) {
        this.config = config;
        this.loop = loop;
        this.tables = tables;
        this.life = life;
        self = config.self().node();
        members = List.of(config.self());
        proposals = new ProposalQueue(config.proposalTimeout(), random);
    }

    // ---- start ----

    @Override
    public void start(StateMachine newStateMachine) {
        stateMachine = newStateMachine;
        var started = tables.join(newStateMachine::firstSnapshot, () -> execute(reader::read))
                .thenCompose(result -> {
                    joined = result;
                    return tables.readSnapshot();
                })
                .thenAccept(snapshot -> guarded(() -> begin(snapshot)));
        if (loop.inEventLoop()) { // a simulated one
            started = started.exceptionally(failed -> {
                fail(cause(failed));
                return null;
            });
            return;
        }
        try {
            started.join();
        } catch (CompletionException failed) {
            tables.close();
            throw new IllegalStateException(cause(failed).getMessage(), cause(failed));
        }
    }

    private void begin(Snapshot snapshot) {
        LOG.info("log opened node={} engine=\"{}\" cluster-id={}", self, joined.engine(), joined.clusterId());
        reader.restore(snapshot);
        observe();
        sweep();
        if (!joined.notifies()) {
            poll();
        }
    }

    private void poll() {
        reader.read();
        schedule(POLL_INTERVAL, this::poll);
    }

    // ---- the loop ----

    private void execute(Runnable task) {
        try {
            loop.execute(() -> guarded(task));
        } catch (RejectedExecutionException ended) {
            // and the node with it
        }
    }

    private void schedule(Duration delay, Runnable task) {
        if (!isClosed && !failure.isDone()) {
            loop.schedule(delay, () -> guarded(task));
        }
    }

    /** Stops the node if a task fails: its state may be wrong. */
    private void guarded(Runnable task) {
        if (isClosed || failure.isDone()) {
            return;
        }
        try {
            task.run();
        } catch (RuntimeException | Error cause) {
            fail(cause);
        }
    }

    private void fail(Throwable cause) {
        if (failure.complete(cause)) {
            LOG.error("log failed, node stops node={}", self, cause);
            proposals.failAll("the node has failed");
            tables.close();
        }
    }

    /** @param onUnknown the database did not answer, and may have executed the call */
    @SuppressWarnings("FutureReturnValueIgnored") // the callbacks handle the failure
    private <T> void handle(CompletableFuture<T> answer, Consumer<T> onAnswer, Consumer<DatabaseException> onUnknown) {
        answer.whenComplete((value, failed) -> guarded(() -> {
            if (failed == null) {
                onAnswer.accept(value);
            } else if (cause(failed) instanceof DatabaseException unknown) {
                onUnknown.accept(unknown);
            } else {
                throw new IllegalStateException(cause(failed).getMessage(), cause(failed));
            }
        }));
    }

    private static Throwable cause(Throwable failed) {
        return failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
    }

    private void updateProblem() {
        var now = appendProblem.or(() -> readProblem);
        if (now.isPresent() != problem.isPresent()) {
            now.ifPresentOrElse(
                    text -> LOG.warn("database unreachable node={} reason=\"{}\"", self, text),
                    () -> LOG.info("database reached again node={}", self));
        }
        problem = now;
    }

    private StateMachine stateMachine() {
        return Objects.requireNonNull(stateMachine, "log is not started");
    }

    // ---- entries ----

    private final class ReaderLog implements RowReader.Log {

        @Override
        public void apply(Row row) {
            long index = row.previousIndex();
            for (byte[] entry : row.entries()) {
                stateMachine().apply(++index, entry);
                applied.incrementAndGet();
                logBytes.addAndGet(entry.length);
            }
            if (proposals.isInFlight(row.salt())) {
                proposals.onApplied();
                send();
            }
            stateMachine().onIdle();
            compactIfLong();
        }

        @Override
        public void restore(Snapshot snapshot) {
            stateMachine().restore(snapshot.state().toByteArray());
            snapshots.incrementAndGet();
        }

        @Override
        public void read(long afterIndex) {
            handle(tables.read(afterIndex), rows -> reader.onRead(afterIndex, rows), this::onUnreachable);
        }

        @Override
        public void readSnapshot() {
            handle(tables.readSnapshot(), reader::onSnapshot, this::onUnreachable);
        }

        private void onUnreachable(DatabaseException unknown) {
            reader.onUnreachable(); // the next observation reads again
        }
    }

    @Override
    public CompletableFuture<Void> propose(byte[] entry) {
        var done = new CompletableFuture<Void>();
        if (isClosed || failure.isDone()) {
            done.completeExceptionally(
                    new ProposalRejectedException(isClosed ? "node is closed" : "node has failed: " + failure.join()));
            return done;
        }
        execute(() -> {
            proposals.add(entry, done, loop.nanoTime());
            send();
        });
        if (isClosed || failure.isDone()) { // since then: the loop may drop the task
            done.completeExceptionally(new IndeterminateOutcomeException("outcome unknown: the node was closed"));
        }
        return done;
    }

    private void send() {
        proposals.next().ifPresent(this::append);
    }

    /** Repeats the append of the batch in flight until its outcome is known. */
    private void append(Batch batch) {
        if (proposals.isInFlight(batch.salt())) {
            handle(tables.append(epoch, batch), outcome -> onOutcome(batch, outcome), unknown -> {
                appendProblem = Optional.of(unknown.line());
                updateProblem();
                schedule(RETRY_INTERVAL, () -> append(batch));
            });
        }
    }

    private void onOutcome(Batch batch, Outcome outcome) {
        appendProblem = Optional.empty();
        updateProblem();
        switch (outcome) {
            case Outcome.Committed(var index, var chain) -> onCommitted(batch, index, chain);
            case Outcome.StaleEpoch(var current) -> {
                epoch = current;
                if (proposals.isInFlight(batch.salt()) && proposals.isAbandoned()) {
                    proposals.forget();
                    send();
                } else {
                    append(batch);
                }
            }
            case Outcome.Replaced() -> throw replaced();
        }
    }

    private void onCommitted(Batch batch, long index, long chain) {
        appended.addAndGet(batch.entries().size());
        if (!proposals.isInFlight(batch.salt())) {
            return; // the reader was faster
        }
        if (index > reader.index()) {
            reader.onRow(new Row(index, batch.salt(), chain, batch.entries()));
        } else if (reader.isRestored(index)) {
            proposals.onApplied();
            send();
        } else {
            throw diverged(index);
        }
    }

    private LogDivergedException diverged(long last) {
        return new LogDivergedException("the database ends at entry " + last + ", but entry " + reader.index()
                + " was committed: it has lost entries (asynchronous failover?)");
    }

    private IllegalStateException replaced() {
        return new IllegalStateException("another process runs as " + self + ", or " + self + " was removed"
                + "\nhint: start it with another name");
    }

    private void sweep() {
        proposals.failLate(loop.nanoTime(), problem.orElse("the database did not answer in time"));
        if (loop.nanoTime() - observedAtNanos > LEADER_PATIENCE.toNanos()) {
            setLeader(Optional.empty());
        }
        schedule(SWEEP_INTERVAL, this::sweep);
    }

    // ---- the leader and the members ----

    private void observe() {
        long index = reader.index();
        long chain = reader.chain();
        long compactions = snapshots.get();
        handle(
                tables.observe(),
                observation -> {
                    if (observation.last() < index || observation.last() == index && observation.chain() != chain) {
                        throw diverged(observation.last());
                    }
                    if (snapshots.get() == compactions) {
                        logBytes.set(observation.logBytes());
                    }
                    onObserved(observation);
                },
                unknown -> {
                    readProblem = Optional.of(unknown.line());
                    updateProblem();
                    setLeader(Optional.empty());
                    leaders.onUnreachable();
                    schedule(OBSERVE_INTERVAL, this::observe);
                });
    }

    private void onObserved(Observation observation) {
        long now = loop.nanoTime();
        if (now - observedAtNanos > LEADER_PATIENCE.toNanos()) { // this node was paused, or the database was
            leaders.onUnreachable();
        }
        observedAtNanos = now;
        readProblem = Optional.empty();
        updateProblem();
        if (observation.nodes().stream().noneMatch(row -> row.life() == life)) {
            throw replaced();
        }
        epoch = observation.leadership().epoch();
        isFaultTolerant = observation.isFaultTolerant();
        members = observation.nodes().stream()
                .map(NodeRow::member)
                .sorted(Comparator.comparing(Member::node))
                .toList();
        leaders.onObserved(observation, now);
        membership.onObserved(observation, now);
        reader.readTo(observation.last());
        if (leaders.isVacant(observation, now)) {
            takeOver();
        } else {
            setLeader(Optional.of(observation.leadership().leader()));
            removeLost(now);
            schedule(OBSERVE_INTERVAL, this::observe);
        }
    }

    private void takeOver() {
        handle(
                tables.takeOver(epoch),
                hasWon -> {
                    if (hasWon) {
                        LOG.info("leadership taken over node={} term={}", self, epoch + 1);
                    }
                    observe();
                },
                unknown -> schedule(OBSERVE_INTERVAL, this::observe));
    }

    private void setLeader(Optional<NodeId> newLeader) {
        if (!newLeader.equals(leader)) {
            LOG.info(
                    "leader changed node={} leader={} term={}",
                    self,
                    newLeader.map(NodeId::toString).orElse("none"),
                    epoch);
            leader = newLeader;
            stateMachine().onLeaderChanged(newLeader);
        }
    }

    /** The leader removes nodes that have not been seen for long. If they return, they start again. */
    private void removeLost(long nowNanos) {
        if (leader.equals(Optional.of(self))) {
            members.stream()
                    .map(Member::node)
                    .filter(node -> !membership.isBeating(node, nowNanos))
                    .forEach(lost -> handle(
                            tables.remove(lost),
                            removed -> LOG.info("node removed node={} removed={} reason=silent", self, lost),
                            unknown -> {}));
        }
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
        return CompletableFuture.failedFuture(
                new ProposalRejectedException("a node of this log is a member when it has started: start " + member));
    }

    @Override
    public CompletableFuture<Void> removeMember(NodeId node) {
        var done = new CompletableFuture<Void>();
        execute(() -> {
            var refusal = refusal(node);
            if (refusal.isPresent()) {
                done.completeExceptionally(new ProposalRejectedException(refusal.get()));
            } else {
                handle(
                        tables.remove(node),
                        removed -> done.complete(null),
                        unknown -> done.completeExceptionally(new ProposalRejectedException(unknown.line())));
            }
        });
        return done;
    }

    private Optional<String> refusal(NodeId node) {
        if (members.stream().noneMatch(member -> member.node().equals(node))) {
            return Optional.of("node is not a member: " + node);
        }
        return leaders.isBeating(node, loop.nanoTime())
                ? Optional.of("node is running: " + node + " (stop it; then it is no member any more)")
                : Optional.empty();
    }

    @Override
    public List<Member> members() {
        return members;
    }

    @Override
    public boolean isFaultTolerant() {
        return isFaultTolerant;
    }

    @Override
    public String clusterId() {
        return joined.clusterId();
    }

    @Override
    public long term() {
        return epoch;
    }

    // ---- snapshots ----

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback completes the result
    public CompletableFuture<Void> compact() {
        var done = new CompletableFuture<Void>();
        execute(() -> runCompaction().whenComplete((nothing, failed) -> done.complete(null)));
        return done;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failure is repeated when the log has grown more
    private void compactIfLong() {
        if (logBytes.get() > config.snapshotThresholdBytes() && leader.equals(Optional.of(self))) {
            runCompaction();
        }
    }

    private CompletableFuture<Void> runCompaction() {
        if (compaction != null) {
            return compaction;
        }
        var done = new CompletableFuture<Void>();
        compaction = done;
        long bytes = logBytes.get();
        handle(
                tables.writeSnapshot(
                        reader.index(), reader.chain(), stateMachine().snapshot()),
                written -> {
                    snapshots.incrementAndGet();
                    logBytes.addAndGet(-bytes);
                    compaction = null;
                    done.complete(null);
                },
                unknown -> {
                    LOG.warn("snapshot not written node={} reason=\"{}\"", self, unknown.line());
                    schedule(SNAPSHOT_RETRY_INTERVAL, () -> compaction = null);
                    done.complete(null);
                });
        return done;
    }

    // ---- state ----

    @Override
    public LogStats stats() {
        return new LogStats(
                applied.get(), appended.get(), 0, Math.max(0, logBytes.get()), snapshots.get(), proposals.size());
    }

    @Override
    public LogHealth health() {
        return new LogHealth(joined.engine(), problem);
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    @Override
    public void close() {
        if (!isClosed && !failure.isDone() && !loop.inEventLoop()) {
            tables.leave();
        }
        crash();
    }

    /** Closes without telling the database. */
    void crash() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        tables.close();
        if (loop.inEventLoop()) {
            proposals.failAll("the node was closed");
        } else {
            var closed = new CompletableFuture<Void>();
            try {
                loop.execute(() -> {
                    proposals.failAll("the node was closed");
                    closed.complete(null);
                });
                closed.completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
            } catch (RejectedExecutionException ended) {
                return; // the loop has ended, and completes nothing any more
            }
        }
    }
}
