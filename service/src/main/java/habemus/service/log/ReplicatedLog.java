package habemus.service.log;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A replicated log. A proposal is committed at most once, and every node applies the same entries in the same order.
 *
 * <p>All methods are thread-safe and may be called from the {@link StateMachine}. Only {@link #start} and
 * {@link #close} wait, and must not be called on the event loop of the log. That loop runs the state machine and
 * completes the futures.
 */
public interface ReplicatedLog extends AutoCloseable {

    /**
     * Applies committed entries. All calls are on the event loop of the log, so they must be short and must not wait.
     * If one throws, the log stops with that failure.
     */
    interface StateMachine {

        /** @param index larger than the index of the entry before; indexes have gaps */
        void apply(long index, byte[] entry);

        /** Called after each batch of entries, when all committed entries are applied. */
        default void onIdle() {}

        /**
         * Captures the state after the last applied entry, for {@link #restore}. The supplier encodes it, on any
         * thread, while more entries are applied.
         */
        Supplier<byte[]> snapshot();

        /** The state that a new log begins with, for {@link #restore} at every node. */
        default byte[] firstSnapshot() {
            return snapshot().get();
        }

        /** Replaces the state: at the start, or if this node lags so far that the leader sends a snapshot. */
        void restore(byte[] snapshot);

        /** A hint: the leader known to this node. It may be outdated, and two nodes may believe to be the leader. */
        void onLeaderChanged(Optional<NodeId> leader);
    }

    /**
     * Joins the cluster and starts to apply committed entries.
     *
     * @throws habemus.service.storage.CorruptFileException if a data file fails its checksum
     * @throws IllegalStateException if the address is in use, or the cluster rejects the node
     */
    void start(StateMachine stateMachine);

    /**
     * Proposes an entry. The future completes after the entry was committed and applied by this node. It fails with
     * {@link ProposalRejectedException} if the entry was not and will not be committed, and with
     * {@link IndeterminateOutcomeException} if the outcome is unknown. Then the entry may still be committed later. A
     * caller that retries must be able to recognise duplicates.
     *
     * <p>Followers forward proposals to the leader. Entries that one thread proposes at one node are committed in that
     * order, as long as the leader does not change.
     */
    CompletableFuture<Void> propose(byte[] entry);

    /**
     * Adds a voting member, which must be running and joining. Only one membership change may be in progress. Fails as
     * {@link #propose} does. A log on an engine rejects it: its nodes add themselves.
     */
    CompletableFuture<Void> addMember(Member member);

    /** Removes a voting member, running or not, but not the leader: stop that first. Fails as {@link #propose} does. */
    CompletableFuture<Void> removeMember(NodeId node);

    /** The voting members known to this node. */
    List<Member> members();

    /** Whether the log stays available and loses nothing if one node is lost with its disk. */
    default boolean isFaultTolerant() {
        return members().size() > 2;
    }

    /** The identity of the cluster; empty if it is not formed yet, or keeps nothing on disk. */
    default String clusterId() {
        return "";
    }

    /** The current term known to this node; 1 for a log without terms. */
    default long term() {
        return 1;
    }

    /** How long ago this node had certainly applied all committed entries. Grows while it knows no leader. */
    default Duration staleness() {
        return Duration.ZERO;
    }

    /** The number of entries that each follower lacks, if this node leads; else empty. */
    default Map<NodeId, Long> replicationLag() {
        return Map.of();
    }

    /** Replaces all applied entries by a snapshot. The log also does so by itself when it has grown. */
    CompletableFuture<Void> compact();

    LogStats stats();

    /** What the log runs on, and whether this node can reach it. Does not wait. */
    LogHealth health();

    /** Completes with the cause if this node fails and stops. A new start is possible after the cause is removed. */
    CompletableFuture<Throwable> failure();

    @Override
    void close();
}
