package habemus.log.etcd;

import habemus.log.etcd.KeyValueStore.KeyValue;
import habemus.log.etcd.KeyValueStore.Put;
import habemus.log.etcd.KeyValueStore.Transaction;
import habemus.log.etcd.KeyValueStore.Unchanged;
import habemus.log.etcd.LogRecords.Epoch;
import habemus.protocol.NodeId;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Decides who leads. The leader changes its heartbeat key; the others follow it, and measure with their own clocks how
 * long it stays the same. Then one of them begins the next epoch, if neither epoch nor heartbeat has changed.
 *
 * <p>Two nodes may believe to lead at the same time. The epoch then decides: the former leader commits nothing more.
 */
final class EtcdLeadership {

    static final Duration HEARTBEAT_INTERVAL = Duration.ofMillis(250);

    /** A follower that sees no heartbeat for so long reads the key. */
    private static final Duration SILENCE = Duration.ofMillis(800);

    /**
     * After etcd has answered, the leader gets so long for a heartbeat. So an outage of etcd does not change the
     * leader.
     */
    private static final Duration GRACE = Duration.ofMillis(400);

    /** Without an answer of etcd for so long, a node knows of no leader. */
    private static final Duration LEADER_UNKNOWN_AFTER = Duration.ofSeconds(2);

    /** The watch delivers a change within so long, or it is opened again. */
    private static final Duration WATCH_DELAY = Duration.ofMillis(1_500);

    private static final long MAX_CLAIM_DELAY_MILLIS = 100;

    /** What leadership needs of the log. */
    interface Log {

        void onLeader(Optional<NodeId> leader);

        /** The watch has not delivered what etcd has. */
        void reload();
    }

    private enum Doubt {
        NONE,
        ASKING,
        /** The key is as this node has seen it. */
        CONFIRMED,
        /** The key has changed, but the watch has not delivered it. */
        LATE_WATCH
    }

    private final String name;
    private final LogKeys keys;
    private final KeyValueStore store;
    private final LogTasks tasks;
    private final RandomGenerator random;
    private final Log log;
    private Epoch epoch = new Epoch(0, Optional.empty());
    private long epochRevision;
    private long heartbeatRevision;
    private long changedNanos; // when this node saw epoch or heartbeat change, or a heartbeat of its own answered
    private long doubtNanos;
    private Duration claimDelay = Duration.ZERO;
    private Doubt doubt = Doubt.NONE;
    private boolean isCalling; // a heartbeat or a claim is in flight
    private long calledNanos;
    private Optional<NodeId> announced = Optional.empty();
    private volatile long term;

    EtcdLeadership(String name, LogKeys keys, EtcdEnvironment environment, LogTasks tasks, Log log) {
        this.name = name;
        this.keys = keys;
        store = environment.store();
        random = environment.random();
        this.tasks = tasks;
        this.log = log;
    }

    /** May be called by any thread. */
    long term() {
        return term;
    }

    Optional<NodeId> leader() {
        return announced;
    }

    boolean isLeading() {
        return epoch.leader().equals(Optional.of(name));
    }

    long epochRevision() {
        return epochRevision;
    }

    long heartbeatRevision() {
        return heartbeatRevision;
    }

    // ---- what the log has seen ----

    void onEpoch(KeyValue entry) {
        if (entry.revision() > epochRevision) {
            epochRevision = entry.revision();
            epoch = Epoch.decode(entry.value());
            term = epoch.number();
            onChange();
            announce(epoch.leadingNode().filter(node -> !isFormerLife()));
        }
    }

    /** A process that ran as this node led. It has ended. */
    private boolean isFormerLife() {
        return !isLeading() && epoch.leadingNode().equals(Optional.of(LogKeys.nodeOf(name)));
    }

    void onHeartbeat(long revision) {
        if (revision > heartbeatRevision) {
            heartbeatRevision = revision;
            onChange();
            announce(epoch.leadingNode());
        }
    }

    private void onChange() {
        changedNanos = tasks.nanoTime();
        doubt = Doubt.NONE;
        claimDelay = Duration.ofMillis(random.nextLong(MAX_CLAIM_DELAY_MILLIS));
    }

    private void announce(Optional<NodeId> leader) {
        if (!leader.equals(announced)) {
            announced = leader;
            log.onLeader(leader);
        }
    }

    // ---- time ----

    /**
     * Called every few milliseconds.
     *
     * @param isFollowing whether the watch is open
     */
    void onTick(boolean isFollowing) {
        if (hasPassed(LEADER_UNKNOWN_AFTER, changedNanos)) {
            announce(Optional.empty());
        }
        if (isFollowing) {
            lead();
        }
    }

    private void lead() {
        if (doubt == Doubt.LATE_WATCH && hasPassed(WATCH_DELAY, doubtNanos)) {
            doubt = Doubt.NONE;
            log.reload();
        } else if (isLeading()) {
            beat();
        } else if (epoch.leader().isEmpty() || isFormerLife()) {
            if (hasPassed(claimDelay, changedNanos)) {
                claim();
            }
        } else if (hasPassed(SILENCE, changedNanos)) {
            onSilence();
        }
    }

    private boolean hasPassed(Duration duration, long sinceNanos) {
        return tasks.nanoTime() - sinceNanos >= duration.toNanos();
    }

    private void beat() {
        if (!isCalling && hasPassed(HEARTBEAT_INTERVAL, calledNanos)) {
            call(new Transaction(List.of(new Unchanged(keys.epoch(), epochRevision)), List.of(heartbeat()), List.of()));
        }
    }

    private Put heartbeat() {
        return new Put(keys.heartbeat(), name.getBytes(StandardCharsets.US_ASCII));
    }

    private void onSilence() {
        switch (doubt) {
            case NONE -> ask();
            case CONFIRMED -> {
                if (hasPassed(GRACE.plus(claimDelay), doubtNanos)) {
                    claim();
                }
            }
            case ASKING, LATE_WATCH -> {}
        }
    }

    private void ask() {
        doubt = Doubt.ASKING;
        tasks.await(
                store.commit(new Transaction(List.of(), List.of(), List.of(keys.epoch(), keys.heartbeat()))),
                outcome -> {
                    if (doubt == Doubt.ASKING) {
                        setDoubt(outcome.read().stream().allMatch(this::isKnown) ? Doubt.CONFIRMED : Doubt.LATE_WATCH);
                    }
                },
                failure -> doubt = doubt == Doubt.ASKING ? Doubt.NONE : doubt);
    }

    private void setDoubt(Doubt newDoubt) {
        doubtNanos = doubt == newDoubt ? doubtNanos : tasks.nanoTime();
        doubt = newDoubt;
    }

    private boolean isKnown(KeyValue entry) {
        return entry.revision() == (entry.key().equals(keys.epoch()) ? epochRevision : heartbeatRevision);
    }

    private void claim() {
        if (!isCalling) {
            call(new Transaction(
                    List.of(
                            new Unchanged(keys.epoch(), epochRevision),
                            new Unchanged(keys.heartbeat(), heartbeatRevision)),
                    List.of(new Put(keys.epoch(), epoch.next(Optional.of(name)).encode()), heartbeat()),
                    List.of()));
        }
    }

    private void call(Transaction transaction) {
        isCalling = true;
        calledNanos = tasks.nanoTime();
        long known = heartbeatRevision;
        tasks.await(
                store.commit(transaction),
                outcome -> {
                    isCalling = false;
                    if (heartbeatRevision == known) {
                        setDoubt(Doubt.LATE_WATCH); // until it delivers the change of this node, or of another
                    }
                },
                failure -> isCalling = false);
    }

    /** Ends the epoch of this node, if it leads, so that the others do not wait. */
    CompletableFuture<Void> resign() {
        if (!isLeading()) {
            return CompletableFuture.completedFuture(null);
        }
        return store.commit(new Transaction(
                        List.of(new Unchanged(keys.epoch(), epochRevision)),
                        List.of(new Put(
                                keys.epoch(), epoch.next(Optional.empty()).encode())),
                        List.of()))
                .handle((outcome, failed) -> null);
    }
}
