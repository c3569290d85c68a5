package habemus.log.etcd;

import habemus.harness.simulation.SimulatedEngine;
import habemus.service.log.EngineConfig;
import habemus.service.log.ReplicatedLog;
import habemus.service.transport.Member;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A model of etcd in virtual time: one store with revisions and history, which nodes reach over connections with
 * faults. Requests and answers get lost or late, watches break or fall silent, history is compacted, all members are
 * without a quorum for a while.
 */
final class SimulatedEtcd implements SimulatedEngine {

    /** What has happened in all runs. */
    enum Situation {
        LOST_REQUEST,
        LOST_ANSWER,
        LATE_COMMIT,
        NO_QUORUM,
        BROKEN_WATCH,
        SILENT_WATCH,
        COMPACTED_WATCH,
        COMPACTED_READ,
        STALE_CONDITION
    }

    private static final long MILLI = 1_000_000;
    private static final long SECOND = 1_000 * MILLI;
    private static final long CALL_TIMEOUT_NANOS = 2 * SECOND;
    private static final long STORE_ID = 42;

    private record Version(long revision, Optional<byte[]> value) {}

    private final Clock clock;
    private final RandomGenerator random;
    private final long healedNanos;
    private final Map<Situation, LongAdder> situations;
    private final int faultPercent;
    private final int snapshotBytes;
    private final TreeMap<String, List<Version>> keys = new TreeMap<>();
    private final List<SimulatedWatch> watches = new ArrayList<>();
    private long revision = 1;
    private long compactedRevision;
    private long quorumFromNanos;

    private SimulatedEtcd(Clock clock, RandomGenerator random, long healedNanos, Map<Situation, LongAdder> situations) {
        this.clock = clock;
        this.random = random;
        this.healedNanos = healedNanos;
        this.situations = situations;
        faultPercent = random.nextBoolean() ? random.nextInt(3) : random.nextInt(30);
        snapshotBytes = 1 << random.nextInt(12, 17);
        planFault();
    }

    /** @param situations counts what happens */
    static Factory factory(Map<Situation, LongAdder> situations) {
        return (clock, random, healedNanos) -> new SimulatedEtcd(clock, random, healedNanos, situations);
    }

    static Factory factory() {
        return factory(new ConcurrentHashMap<>());
    }

    @Override
    public ReplicatedLog open(Host host) {
        var self = new Member(
                host.node(), new InetSocketAddress("10.0.0." + host.node().number(), 7_600));
        var engine = new EngineConfig.Engine("etcd:simulated:2379", Optional.empty());
        return new EtcdLog(
                EngineConfig.of(engine, "habemus", self, snapshotBytes),
                EtcdAddress.parse("etcd:simulated:2379", Map.of()),
                new EtcdEnvironment(new Connection(), host.loop(), host.background(), host.random()));
    }

    // ---- faults of the store ----

    private boolean isFaulty() {
        return clock.now() < healedNanos;
    }

    private void count(Situation situation) {
        situations.computeIfAbsent(situation, any -> new LongAdder()).increment();
    }

    private void planFault() {
        clock.after(random.nextLong(SECOND / 2, 6 * SECOND), () -> {
            if (isFaulty()) {
                switch (random.nextInt(4)) {
                    case 0 -> loseQuorum();
                    case 1 -> compact(revision - random.nextInt(20));
                    default -> disturb(random.nextInt(3) == 0);
                }
                planFault();
            }
        });
    }

    private void loseQuorum() {
        count(Situation.NO_QUORUM);
        clock.line("etcd has no quorum");
        quorumFromNanos = Math.min(healedNanos, clock.now() + random.nextLong(SECOND / 5, 4 * SECOND));
    }

    private void disturb(boolean isAll) {
        for (var watch : List.copyOf(watches)) {
            if (isAll || random.nextInt(watches.size()) == 0) {
                if (random.nextBoolean()) {
                    count(Situation.BROKEN_WATCH);
                    watch.end(new StoreException(StoreException.Kind.UNAVAILABLE, "broken", null));
                } else {
                    count(Situation.SILENT_WATCH);
                    watch.silence(random.nextInt(4) == 0 ? Long.MAX_VALUE / 2 : random.nextLong(6 * SECOND));
                }
            }
        }
    }

    private void compact(long upTo) {
        if (upTo > compactedRevision) {
            clock.line("etcd compacts its history up to " + upTo);
            compactedRevision = upTo;
            List.copyOf(watches).forEach(SimulatedWatch::checkCompacted);
        }
    }

    // ---- the store ----

    private Optional<KeyValueStore.KeyValue> read(String key, long atRevision) {
        var versions = keys.getOrDefault(key, List.of());
        for (var version : versions.reversed()) {
            if (version.revision <= atRevision) {
                return version.value.map(value -> new KeyValueStore.KeyValue(key, version.revision, value.clone()));
            }
        }
        return Optional.empty();
    }

    private void write(String key, Optional<byte[]> value) {
        keys.computeIfAbsent(key, any -> new ArrayList<>()).add(new Version(revision, value));
    }

    private KeyValueStore.Outcome commit(KeyValueStore.Transaction transaction) {
        boolean holds = transaction.conditions().stream()
                .allMatch(condition -> read(condition.key(), revision)
                                .map(KeyValueStore.KeyValue::revision)
                                .orElse(0L)
                        == condition.revision());
        if (!holds) {
            count(Situation.STALE_CONDITION);
        } else if (!transaction.puts().isEmpty()) {
            revision++;
            var puts = new ArrayList<KeyValueStore.KeyValue>();
            for (var put : transaction.puts()) {
                write(put.key(), Optional.of(put.value().clone()));
                puts.add(new KeyValueStore.KeyValue(
                        put.key(), revision, put.value().clone()));
            }
            watches.forEach(watch -> watch.add(puts));
        }
        var read = transaction.reads().stream()
                .flatMap(key -> read(key, revision).stream())
                .toList();
        return new KeyValueStore.Outcome(holds, revision, STORE_ID, read);
    }

    private KeyValueStore.Page page(KeyValueStore.KeyRange range, int limit, long atRevision, long changedSince) {
        if (atRevision < compactedRevision) {
            count(Situation.COMPACTED_READ);
            throw new StoreException(StoreException.Kind.COMPACTED, "compacted", null);
        }
        var found = keys.subMap(range.from(), range.to()).keySet().stream()
                .flatMap(key -> read(key, atRevision).stream())
                .filter(entry -> entry.revision() >= changedSince)
                .toList();
        boolean isCut = limit > 0 && found.size() > limit;
        return new KeyValueStore.Page(isCut ? found.subList(0, limit) : found, isCut);
    }

    private void delete(KeyValueStore.KeyRange range) {
        var present = keys.subMap(range.from(), range.to()).keySet().stream()
                .filter(key -> read(key, revision).isPresent())
                .toList();
        if (!present.isEmpty()) {
            revision++;
            present.forEach(key -> write(key, Optional.empty()));
        }
    }

    // ---- the way to it ----

    private long delay() {
        return random.nextInt(50) == 0 ? random.nextLong(200 * MILLI) : random.nextLong(MILLI / 5, 4 * MILLI);
    }

    /** Runs a request in the store, and answers later, or not. */
    private <T> CompletableFuture<T> call(Supplier<T> request) {
        var answer = new CompletableFuture<T>();
        boolean isDisturbed = isFaulty() && random.nextInt(100) < faultPercent;
        int kind = isDisturbed ? random.nextInt(3) : -1;
        long arrival = Math.max(delay(), quorumFromNanos - clock.now());
        clock.after(CALL_TIMEOUT_NANOS, () -> fail(answer));
        switch (kind) {
            case 0 -> count(Situation.LOST_REQUEST);
            case 1 -> {
                count(Situation.LOST_ANSWER);
                clock.after(arrival, () -> answer(request, new CompletableFuture<>()));
                clock.after(arrival + random.nextLong(CALL_TIMEOUT_NANOS), () -> fail(answer));
            }
            case 2 -> {
                count(Situation.LATE_COMMIT);
                clock.after(random.nextLong(500 * MILLI), () -> fail(answer));
                clock.after(arrival + random.nextLong(4 * SECOND), () -> answer(request, new CompletableFuture<>()));
            }
            default -> clock.after(arrival, () -> answer(request, answer));
        }
        return answer;
    }

    private static void fail(CompletableFuture<?> answer) {
        answer.completeExceptionally(new StoreException(StoreException.Kind.UNAVAILABLE, "no answer", null));
    }

    private <T> void answer(Supplier<T> request, CompletableFuture<T> answer) {
        try {
            var result = request.get();
            clock.after(delay(), () -> answer.complete(result));
        } catch (StoreException refused) {
            clock.after(delay(), () -> answer.completeExceptionally(refused));
        }
    }

    /** Of one life of a node. */
    private final class Connection implements KeyValueStore {

        @Override
        public CompletableFuture<Outcome> commit(Transaction transaction) {
            return call(() -> SimulatedEtcd.this.commit(transaction));
        }

        @Override
        public CompletableFuture<Page> read(KeyRange range, int limit, long atRevision, long changedSince) {
            return call(() -> page(range, limit, atRevision, changedSince));
        }

        @Override
        public CompletableFuture<Void> delete(KeyRange range) {
            return call(() -> {
                SimulatedEtcd.this.delete(range);
                return null;
            });
        }

        @Override
        public CompletableFuture<Void> compactHistory(long upTo) {
            return call(() -> {
                compact(upTo);
                return null;
            });
        }

        @Override
        public CompletableFuture<Status> status() {
            return call(() -> new Status("simulated", 3, 0));
        }

        @Override
        public Watch watch(KeyRange range, long fromRevision, ChangeListener listener) {
            var watch = new SimulatedWatch(range, fromRevision, listener);
            clock.after(delay(), watch::open);
            return watch;
        }

        @Override
        public void close() {}
    }

    private final class SimulatedWatch implements KeyValueStore.Watch {
        private final KeyValueStore.KeyRange range;
        private final KeyValueStore.ChangeListener listener;
        private final List<KeyValueStore.KeyValue> undelivered = new ArrayList<>();
        private long fromRevision;
        private long silentUntilNanos;
        private boolean isDeliveryPlanned;
        private boolean hasEnded;

        SimulatedWatch(KeyValueStore.KeyRange range, long fromRevision, KeyValueStore.ChangeListener listener) {
            this.range = range;
            this.fromRevision = fromRevision;
            this.listener = listener;
        }

        void open() {
            if (hasEnded) {
                return;
            }
            if (fromRevision <= compactedRevision) {
                count(Situation.COMPACTED_WATCH);
                end(new StoreException(StoreException.Kind.COMPACTED, "compacted", null));
                return;
            }
            watches.add(this);
            var missed = new TreeMap<Long, List<KeyValueStore.KeyValue>>();
            keys.subMap(range.from(), range.to())
                    .forEach((key, versions) -> versions.stream()
                            .filter(version -> version.revision >= fromRevision)
                            .forEach(version -> version.value.ifPresent(
                                    value -> missed.computeIfAbsent(version.revision, any -> new ArrayList<>())
                                            .add(new KeyValueStore.KeyValue(key, version.revision, value.clone())))));
            missed.values().forEach(this::add);
        }

        void add(List<KeyValueStore.KeyValue> puts) {
            puts.stream()
                    .filter(put ->
                            put.key().compareTo(range.from()) >= 0 && put.key().compareTo(range.to()) < 0)
                    .forEach(undelivered::add);
            planDelivery();
        }

        private void planDelivery() {
            if (!isDeliveryPlanned && !undelivered.isEmpty()) {
                isDeliveryPlanned = true;
                clock.after(delay(), this::deliver);
            }
        }

        private void deliver() {
            isDeliveryPlanned = false;
            if (hasEnded) {
                return;
            }
            if (clock.now() < silentUntilNanos) {
                clock.after(Math.min(SECOND, silentUntilNanos - clock.now()), this::planDelivery);
                return;
            }
            var puts = List.copyOf(undelivered);
            if (!puts.isEmpty()) {
                undelivered.clear();
                fromRevision = puts.getLast().revision() + 1;
                listener.onChanges(puts, puts.getLast().revision());
            }
        }

        void silence(long nanos) {
            silentUntilNanos = clock.now() + nanos;
        }

        /** A watch that is behind does not get what is compacted. */
        void checkCompacted() {
            if (!undelivered.isEmpty() && undelivered.getFirst().revision() <= compactedRevision) {
                count(Situation.COMPACTED_WATCH);
                end(new StoreException(StoreException.Kind.COMPACTED, "compacted", null));
            }
        }

        void end(StoreException cause) {
            if (!hasEnded) {
                cancel();
                clock.after(delay(), () -> listener.onBroken(cause));
            }
        }

        @Override
        public void cancel() {
            hasEnded = true;
            watches.remove(this);
        }
    }
}
