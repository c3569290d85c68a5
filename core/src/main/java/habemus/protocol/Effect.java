package habemus.protocol;

import java.time.Duration;
import java.util.List;

/** What a node asks its runtime to do. The runtime carries out the effects of a step in order, after the step. */
@WireTags({
    Effect.CancelTimer.class,
    Effect.Elected.class,
    Effect.Grant.class,
    Effect.Lost.class,
    Effect.Restore.class,
    Effect.Draw.class,
    Effect.Send.class,
    Effect.SendAll.class,
    Effect.Suspect.class,
    Effect.SetTimer.class,
    Effect.Apply.class,
    Effect.Load.class,
    Effect.Reply.class,
    Effect.Report.class
})
public sealed interface Effect<M> {

    /** Send {@code message} to {@code to}. Whether and when it arrives is up to the network. */
    record Send<M>(NodeId to, M message) implements Effect<M> {}

    /** Send {@code message} to each of {@code to}, lowest number first. */
    record SendAll<M>(NodeSet to, M message) implements Effect<M> {}

    /**
     * Call {@link Timed#timeout} once, after a time that the runtime draws from {@code atLeast} to {@code atMost}. A
     * timer that is set already is set again.
     */
    record SetTimer<M>(Enum<?> timer, Duration atLeast, Duration atMost) implements Effect<M> {}

    /** Cancel this timer, if it is set: it does not fire. */
    record CancelTimer<M>(Enum<?> timer) implements Effect<M> {}

    /** Call {@link Randomized#drawn} at once, with a random number from zero to {@code bound - 1}. */
    record Draw<M>(int bound) implements Effect<M> {}

    /** Grant the lock to the application. {@code fence} is larger than that of every earlier grant. */
    record Grant<M>(long fence) implements Effect<M> {}

    /** Tell the application which node leads. Where a term has at most one leader, terms grow. */
    record Elected<M>(NodeId leader, long term) implements Effect<M> {}

    /** Tell the application that it no longer holds the lock, or no longer knows a leader. */
    record Lost<M>() implements Effect<M> {}

    /** Report that the peer seems to have crashed. It was not suspected before. */
    record Suspect<M>(NodeId peer) implements Effect<M> {}

    /** Report that a suspected peer is up: it has restarted, or the suspicion was wrong. */
    record Restore<M>(NodeId peer) implements Effect<M> {}

    /** Apply these committed entries of the log to the application, in order. */
    record Apply<M>(long firstIndex, List<LogEntry> entries) implements Effect<M> {}

    /** Replace the state of the application by this snapshot, which includes all entries up to {@code index}. */
    record Load<M>(long index, ByteString snapshot) implements Effect<M> {}

    /** Answer the call of the application with this id. */
    record Reply<M>(long id, LogReply reply) implements Effect<M> {}

    /** Report to the observers of a {@link ThreadProgram} what a thread or a shared object has reached. */
    record Report<M>(Milestone milestone) implements Effect<M> {}
}
