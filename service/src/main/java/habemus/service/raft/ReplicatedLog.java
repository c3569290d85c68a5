package habemus.service.raft;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A log that is kept by several nodes. What is proposed is committed once or never; every node is told the same
 * entries in the same order.
 *
 * <p>All methods may be called by any thread, also from within the {@link StateMachine}. None waits for another node, but
 * {@link #start} and {@link #close}. Whoever calls may find himself writing to the disk, and calling the machine.
 */
public interface ReplicatedLog extends AutoCloseable {

    /**
     * What is told of all that is committed. Calls come one after the other, never two at once, and the log does
     * nothing else meanwhile: so they are short. It must not wait for a proposal in a call (which would wait for
     * itself), nor throw: a machine that cannot go on is a bug, and the log stops.
     */
    interface StateMachine {

        /** @param index larger than that of the entry before; there are gaps */
        void apply(long index, byte[] entry);

        /** Nothing more is committed for now: called after each run of entries. */
        default void onIdle() {}

        /** All that {@link #restore} needs to go on after the last entry that was applied. */
        byte[] snapshot();

        /** In place of all entries before: at a start, or when this node was away for too long. */
        void restore(byte[] snapshot);

        /** A hint: who leads, as far as this node knows. It may be wrong at any time, and two may think it is they. */
        void onLeaderChanged(Optional<NodeId> leader);
    }

    /**
     * Tells the machine what is known to be committed, as soon as it is known, and goes on to do so.
     *
     * @throws habemus.service.storage.CorruptFileException if a file is not what was written
     * @throws IllegalStateException if the node cannot listen, or is not let in
     */
    void start(StateMachine stateMachine);

    /**
     * Completes after the entry was committed and the machine of this node has been told. Fails with {@link ProposalRejectedException} if
     * it certainly was not and will not be committed, and with {@link IndeterminateOutcomeException} if nobody knows whether it was or will
     * be: it may still come. Whoever proposes again must be able to tell the two apart.
     *
     * <p>What is proposed at other nodes than the leader is passed on to it. Entries proposed by one thread at one node
     * are committed in that order, as long as the leader stays.
     */
    default CompletableFuture<Void> propose(byte[] entry) {
        var done = enqueue(entry);
        runPending();
        return done;
    }

    /** The same, for one who must not be kept now, and {@linkplain #runPending sees} to it afterwards. */
    CompletableFuture<Void> enqueue(byte[] entry);

    /** Does what there is to do, unless somebody is at it. */
    void runPending();

    /** Whether something waits to be written, so that who attends to it will be at it for a while. */
    default boolean hasPendingWrites() {
        return false;
    }

    /** It must have been started before, as one that joins; one change at a time. Fails as {@link #propose} does. */
    CompletableFuture<Void> addMember(Member member);

    /** It need not be there. The leader is refused: stop it first. Fails as {@link #propose} does. */
    CompletableFuture<Void> removeMember(NodeId node);

    /** Who keeps the log, as far as this node knows. */
    List<Member> members();

    /** Whether the log goes on, and loses nothing, if one of its nodes is lost with its disk. */
    default boolean isFaultTolerant() {
        return members().size() > 2;
    }

    /** In which somebody leads, or nobody yet; as much of a hint as who. A log without terms is in its first. */
    default long term() {
        return 1;
    }

    /** Puts a snapshot in place of all that was applied. Done by itself when the log has become long. */
    CompletableFuture<Void> compact();

    LogStats stats();

    /** Completes if this node can take part no more, saying why. It may be started again when that is mended. */
    CompletableFuture<Throwable> failure();

    @Override
    void close();
}
