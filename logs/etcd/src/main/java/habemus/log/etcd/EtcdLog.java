package habemus.log.etcd;

import static java.nio.charset.StandardCharsets.US_ASCII;

import habemus.log.etcd.KeyValueStore.KeyValue;
import habemus.log.etcd.KeyValueStore.Outcome;
import habemus.log.etcd.KeyValueStore.Put;
import habemus.log.etcd.KeyValueStore.Transaction;
import habemus.log.etcd.KeyValueStore.Unchanged;
import habemus.log.etcd.LogRecords.Epoch;
import habemus.log.etcd.LogRecords.Identity;
import habemus.log.etcd.LogRecords.Snapshot;
import habemus.log.etcd.LogRecords.Writer;
import habemus.protocol.NodeId;
import habemus.service.log.EngineConfig;
import habemus.service.log.LogDivergedException;
import habemus.service.log.LogHealth;
import habemus.service.log.LogStats;
import habemus.service.log.ProposalRejectedException;
import habemus.service.log.ReplicatedLog;
import habemus.service.transport.Member;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The replicated log on etcd. Every node writes its own batches, and follows all of them with a watch. The index of an
 * entry is the revision of its batch and its position in it.
 *
 * <p>The node never waits for etcd. If the watch breaks, it reads what it has missed, or the snapshot that replaced it,
 * and watches again. If etcd has less than this node has applied, the node stops.
 */
public final class EtcdLog implements ReplicatedLog {

    /** Bits of an index for the position of an entry in its batch. */
    static final int POSITION_BITS = 12;

    private static final Logger LOG = LoggerFactory.getLogger(EtcdLog.class);
    private static final Duration TICK = Duration.ofMillis(50);
    private static final Duration RELOAD_DELAY = Duration.ofMillis(200);
    private static final Duration STATUS_INTERVAL = Duration.ofSeconds(5);
    private static final Duration START_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration LEAVE_TIMEOUT = Duration.ofMillis(800);

    private final EngineConfig config;
    private final NodeId self;
    private final EtcdEnvironment environment;
    private final LogTasks tasks = new LoopTasks();
    private final KeyValueStore store;
    private final LogKeys keys;
    private final LogLoader loader;
    private final EntryWriter writer;
    private final EtcdLeadership leadership;
    private final SnapshotStore snapshots;
    private final EngineHealth health;
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();
    private final CompletableFuture<Void> started = new CompletableFuture<>();
    private final AtomicLong applied = new AtomicLong();
    private final AtomicLong batches = new AtomicLong();
    private final EtcdMembers members;
    private @Nullable StateMachine stateMachine; // this and below: only on the loop
    private KeyValueStore.@Nullable Watch watch;
    private long followedRevision; // all changes up to it were applied
    private long loads; // tells the current load from former ones
    private boolean isRegistered;
    private volatile String clusterId = "";
    private volatile boolean isClosed;

    EtcdLog(EngineConfig config, EtcdAddress address, EtcdEnvironment environment) {
        this.config = config;
        this.environment = environment;
        self = config.self().node();
        store = environment.store();
        keys = new LogKeys(address.root() + config.cluster() + "/");
        members = new EtcdMembers(self, keys);
        loader = new LogLoader(keys, store);
        var name = LogKeys.writerName(self, environment.random().nextLong());
        writer = new EntryWriter(name, keys, store, tasks, config.proposalTimeout());
        leadership = new EtcdLeadership(name, keys, environment, tasks, new LeadershipListener());
        snapshots = new SnapshotStore(self, keys, environment, tasks, address.compactsHistory());
        health = new EngineHealth(self, address.toString());
    }

    // ---- the loop ----

    private final class LoopTasks implements LogTasks {

        @Override
        public void schedule(Duration delay, Runnable task) {
            environment.loop().schedule(delay, () -> guarded(task));
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // the callback handles the outcome
        public <T> void await(CompletableFuture<T> call, Consumer<T> onResult, Consumer<StoreException> onFailure) {
            call.whenComplete((result, failed) -> onLoop(() -> {
                if (failed == null) {
                    onResult.accept(result);
                } else if (rootOf(failed) instanceof StoreException known) {
                    health.onFailure(known);
                    onFailure.accept(known);
                } else {
                    fail(rootOf(failed));
                }
            }));
        }

        @Override
        public void fail(Throwable cause) {
            EtcdLog.this.fail(cause);
        }

        @Override
        public long nanoTime() {
            return environment.loop().nanoTime();
        }
    }

    private static Throwable rootOf(Throwable failed) {
        return failed instanceof CompletionException && failed.getCause() != null ? failed.getCause() : failed;
    }

    private void onLoop(Runnable task) {
        if (!isClosed) {
            environment.loop().execute(() -> guarded(task));
        }
    }

    private void guarded(Runnable task) {
        if (isClosed || failure.isDone()) {
            return;
        }
        try {
            task.run();
        } catch (RuntimeException | Error bug) {
            fail(bug);
        }
    }

    private void fail(Throwable cause) {
        if (failure.complete(cause)) {
            started.completeExceptionally(cause);
            stopFollowing();
            writer.close();
        }
    }

    private StateMachine stateMachine() {
        if (stateMachine == null) {
            throw new IllegalStateException("log is not started");
        }
        return stateMachine;
    }

    // ---- start ----

    /** If etcd cannot be reached, returns after a while, and goes on trying. */
    @Override
    public void start(StateMachine newStateMachine) {
        stateMachine = newStateMachine;
        onLoop(this::begin);
        if (!environment.loop().inEventLoop()) {
            try {
                started.copy()
                        .completeOnTimeout(null, START_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                        .join();
            } catch (CompletionException failed) {
                throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
            }
        }
    }

    private void begin() {
        load();
        tick();
        readStatus();
    }

    private void tick() {
        writer.sweep();
        leadership.onTick(watch != null);
        if (watch != null
                && leadership.isLeading()
                && snapshots.bytes() > config.snapshotThresholdBytes()
                && !snapshots.isRunning()) {
            compactInBackground();
        }
        tasks.schedule(TICK, this::tick);
    }

    @SuppressWarnings("FutureReturnValueIgnored") // a failed snapshot is reported, and tried again
    private void compactInBackground() {
        snapshots.write(followedRevision, stateMachine().snapshot());
    }

    private void readStatus() {
        tasks.await(store.status(), health::onStatus, failed -> {});
        tasks.schedule(STATUS_INTERVAL, this::readStatus);
    }

    // ---- loading ----

    private void stopFollowing() {
        loads++;
        if (watch != null) {
            watch.cancel();
            watch = null;
        }
    }

    /** Reads what this node has not applied, and then follows. */
    private void load() {
        stopFollowing();
        awaitLoad(store.commit(loader.readHead(keys.writer(self))), this::onHead);
    }

    /** Goes on with the result, unless another load has begun. */
    private <T> void awaitLoad(CompletableFuture<T> call, Consumer<T> then) {
        long load = loads;
        tasks.await(
                call,
                result -> {
                    if (load == loads) {
                        then.accept(result);
                    }
                },
                failed -> loadLater(load, failed));
    }

    private void loadLater(long load, StoreException failed) {
        if (load == loads) {
            if (failed.kind() == StoreException.Kind.DENIED && !isRegistered) {
                fail(new IllegalStateException(failed.getMessage(), failed));
                return;
            }
            tasks.schedule(RELOAD_DELAY, () -> {
                if (load == loads) {
                    load();
                }
            });
        }
    }

    private void onHead(Outcome head) {
        var identity =
                LogLoader.find(head, keys.identity()).map(KeyValue::value).map(Identity::decode);
        if (identity.isEmpty() && followedRevision == 0) {
            create(head.storeId());
            return;
        }
        checkIdentity(identity.orElseThrow(() -> diverged("its keys are gone")), head);
        clusterId = identity.get().clusterId();
        if (isRegistered) {
            loadContent(head);
        } else {
            register(head);
        }
    }

    private void checkIdentity(Identity identity, Outcome head) {
        if (identity.format() != LogRecords.FORMAT) {
            throw new IllegalStateException("the log in etcd has format " + identity.format() + " (this version reads "
                    + LogRecords.FORMAT + ")\nhint: upgrade this node");
        }
        if (!clusterId.isEmpty() && !identity.clusterId().equals(clusterId)) {
            throw diverged("another log is in its place");
        }
        if (identity.storeId() != head.storeId()) {
            throw diverged("it is a copy: the log began in the etcd cluster " + Long.toHexString(identity.storeId())
                    + ", this one is " + Long.toHexString(head.storeId()));
        }
        long newest = Math.max(followedRevision, Math.max(leadership.epochRevision(), leadership.heartbeatRevision()));
        long heartbeat =
                LogLoader.find(head, keys.heartbeat()).map(KeyValue::revision).orElse(0L);
        if (head.revision() < newest || heartbeat < leadership.heartbeatRevision()) {
            throw diverged("its revision is " + head.revision() + ", and this node has seen " + newest);
        }
    }

    private LogDivergedException diverged(String how) {
        return new LogDivergedException("etcd has lost entries of the log: " + how
                + "\nhint: if it was restored from a backup, begin a new log: stop all nodes, etcdctl del --prefix "
                + keys.root());
    }

    /** Creates the log, unless another node is faster. */
    private void create(long storeId) {
        var id = new byte[8];
        environment.random().nextBytes(id);
        var identity = new Identity(LogRecords.FORMAT, HexFormat.of().formatHex(id), storeId);
        var folder = keys.chunkFolder(0, self);
        var chunks = SnapshotStore.puts(folder, stateMachine().firstSnapshot());
        var puts = new ArrayList<>(chunks);
        puts.add(new Put(keys.identity(), identity.encode()));
        puts.add(new Put(keys.epoch(), new Epoch(0, Optional.empty()).encode()));
        puts.add(new Put(keys.heartbeat(), "-".getBytes(US_ASCII)));
        puts.add(new Put(keys.snapshot(), new Snapshot(0, chunks.size(), folder).encode()));
        awaitLoad(
                store.commit(new Transaction(List.of(new Unchanged(keys.identity(), 0)), puts, List.of())), outcome -> {
                    LOG.info("log created node={} cluster-id={}", self, identity.clusterId());
                    load();
                });
    }

    /** Ends all transactions of former processes of this node. */
    private void register(Outcome head) {
        long seen =
                LogLoader.find(head, keys.writer(self)).map(KeyValue::revision).orElse(0L);
        var puts = List.of(
                new Put(keys.writer(self), new Writer(writer.name(), 0).encode()),
                new Put(keys.member(self), config.self().addressText().getBytes(US_ASCII)));
        awaitLoad(
                store.commit(new Transaction(List.of(new Unchanged(keys.writer(self), seen)), puts, List.of())),
                outcome -> {
                    isRegistered = outcome.isCommitted();
                    load();
                });
    }

    private void loadContent(Outcome head) {
        var cursor =
                LogLoader.find(head, keys.writer(self)).map(KeyValue::value).map(Writer::decode);
        if (cursor.isEmpty() || !cursor.get().name().equals(writer.name())) {
            throw writer.replaced();
        }
        awaitLoad(loader.load(head, followedRevision), content -> follow(content));
    }

    private void follow(LogLoader.Content content) {
        var head = content.head();
        var snapshot = LogLoader.find(head, keys.snapshot()).orElseThrow();
        snapshots.onSnapshot(snapshot.revision(), Snapshot.decode(snapshot.value()));
        content.snapshot().ifPresent(state -> {
            followedRevision = Snapshot.decode(snapshot.value()).revision();
            stateMachine().restore(state);
        });
        content.batches().forEach(this::onBatch);
        content.members().forEach(members::onChange);
        followedRevision = head.revision();
        stateMachine().onIdle();
        var cursor = LogLoader.find(head, keys.writer(self)).orElseThrow();
        var epoch = LogLoader.find(head, keys.epoch()).orElseThrow(() -> LogLoader.missing("epoch"));
        leadership.onEpoch(epoch);
        LogLoader.find(head, keys.heartbeat()).ifPresent(heartbeat -> leadership.onHeartbeat(heartbeat.revision()));
        writer.onLoaded(Writer.decode(cursor.value()), cursor.revision());
        writer.onEpoch(epoch.revision(), leadership.isLeading());
        health.onSuccess();
        watch = store.watch(keys.followed(), followedRevision + 1, new Follower(loads));
        if (started.complete(null)) {
            LOG.info(
                    "log opened node={} log={} cluster-id={} revision={}",
                    self,
                    config.engine(),
                    clusterId,
                    followedRevision);
        }
    }

    // ---- following ----

    private final class Follower implements KeyValueStore.ChangeListener {
        private final long load;

        Follower(long load) {
            this.load = load;
        }

        @Override
        public void onChanges(List<KeyValue> puts, long upToRevision) {
            onLoop(() -> {
                if (load == loads) {
                    puts.forEach(EtcdLog.this::onChange);
                    followedRevision = upToRevision;
                    stateMachine().onIdle();
                }
            });
        }

        @Override
        public void onBroken(StoreException cause) {
            onLoop(() -> {
                if (load == loads) {
                    LOG.info("watch broken node={} reason=\"{}\"", self, cause.getMessage());
                    if (cause.kind() != StoreException.Kind.COMPACTED) {
                        health.onFailure(cause);
                    }
                    load();
                }
            });
        }
    }

    private void onChange(KeyValue change) {
        var key = change.key();
        if (keys.isEntry(key)) {
            onBatch(change);
        } else if (key.equals(keys.epoch())) {
            leadership.onEpoch(change);
            writer.onEpoch(change.revision(), leadership.isLeading());
        } else if (key.equals(keys.heartbeat())) {
            health.onSuccess();
            leadership.onHeartbeat(change.revision());
        } else if (key.equals(keys.snapshot())) {
            snapshots.onSnapshot(change.revision(), Snapshot.decode(change.value()));
        } else if (keys.isMember(key)) {
            members.onChange(change);
        }
    }

    private void onBatch(KeyValue batch) {
        var from = keys.writerOf(batch.key());
        long number = LogKeys.numberOf(batch.key());
        snapshots.onBatch(from, number, batch.revision(), batch.value().length);
        if (batch.revision() <= followedRevision) {
            return; // in the snapshot, and not deleted yet
        }
        long index = batch.revision() << POSITION_BITS;
        for (var entry : LogRecords.decodeBatch(batch.key(), batch.value())) {
            stateMachine().apply(index++, entry);
            applied.incrementAndGet();
        }
        batches.incrementAndGet();
        if (from.equals(writer.name())) {
            writer.onApplied(number, batch.revision());
        }
    }

    private final class LeadershipListener implements EtcdLeadership.Log {

        @Override
        public void onLeader(Optional<NodeId> leader) {
            LOG.info(
                    "leader changed node={} leader={} term={}",
                    self,
                    leader.map(NodeId::toString).orElse("none"),
                    leadership.term());
            stateMachine().onLeaderChanged(leader);
        }

        @Override
        public void reload() {
            LOG.info("watch is late node={} revision={}", self, followedRevision);
            load();
        }
    }

    // ---- calls ----

    @Override
    public CompletableFuture<Void> propose(byte[] entry) {
        var done = new CompletableFuture<Void>();
        if (isClosed || failure.isDone()) {
            done.completeExceptionally(new ProposalRejectedException(
                    isClosed
                            ? "node is closed"
                            : "node has failed: " + failure.join().getMessage()));
        } else if (environment.loop().inEventLoop()) {
            writer.add(entry, done);
        } else {
            environment.loop().execute(() -> writer.add(entry, done));
        }
        return done;
    }

    @Override
    public CompletableFuture<Void> addMember(Member member) {
        return CompletableFuture.failedFuture(new ProposalRejectedException(
                "the nodes of a log on etcd add themselves\nhint: start " + member.node() + " with the same --log"));
    }

    @Override
    public CompletableFuture<Void> removeMember(NodeId node) {
        var done = new CompletableFuture<Void>();
        onLoop(() -> {
            if (!members.contains(node)) {
                done.completeExceptionally(new ProposalRejectedException("no member: " + node));
            } else if (leadership.leader().equals(Optional.of(node))) {
                done.completeExceptionally(
                        new ProposalRejectedException("cannot remove the leader " + node + "\nhint: stop it first"));
            } else {
                tasks.await(
                        store.commit(members.remove(node)),
                        outcome -> done.complete(null),
                        done::completeExceptionally);
            }
        });
        return done;
    }

    @Override
    public List<Member> members() {
        return members.list();
    }

    @Override
    public boolean isFaultTolerant() {
        return health.storeMembers() > 2;
    }

    @Override
    public String clusterId() {
        return clusterId;
    }

    @Override
    public long term() {
        return leadership.term();
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback completes the result
    public CompletableFuture<Void> compact() {
        var done = new CompletableFuture<Void>();
        onLoop(() -> {
            if (followedRevision == 0) {
                done.complete(null); // the node has not loaded the log yet
                return;
            }
            snapshots.write(followedRevision, stateMachine().snapshot()).whenComplete((nothing, failed) -> {
                if (failed == null) {
                    done.complete(null);
                } else {
                    done.completeExceptionally(failed);
                }
            });
        });
        return done;
    }

    @Override
    public LogStats stats() {
        return new LogStats(applied.get(), batches.get(), 0, snapshots.bytes(), snapshots.count(), writer.pending());
    }

    @Override
    public LogHealth health() {
        return health.current();
    }

    @Override
    public CompletableFuture<Throwable> failure() {
        return failure;
    }

    /**
     * A leader resigns first, so that its clients do not wait for the next one. A node with a random name, which does
     * not come back, also removes itself.
     */
    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the callback completes the result
    public void close() {
        if (!isClosed && !environment.loop().inEventLoop()) {
            var left = new CompletableFuture<Void>();
            onLoop(() -> leave().whenComplete((nothing, failed) -> left.complete(null)));
            left.completeOnTimeout(null, LEAVE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                    .join();
        }
        crash();
    }

    private CompletableFuture<Void> leave() {
        stopFollowing();
        var resigned = leadership.resign();
        return config.self().address().getPort() == 0
                ? resigned.thenCompose(nothing -> members.forget(store, self))
                : resigned;
    }

    /** Closes without a word to the other nodes, as a crash does. */
    void crash() {
        if (!isClosed) {
            isClosed = true;
            store.close();
            environment.loop().execute(() -> {
                stopFollowing();
                writer.close();
            });
        }
    }
}
