package habemus.protocol;

import java.time.Duration;

/** What a node may ask of the world. Effects are carried out in order, after the step. */
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
    Effect.SetTimer.class
})
public sealed interface Effect<M> {

    /** Deliver {@code message} to {@code to}; whether and when is up to the network. */
    record Send<M>(NodeId to, M message) implements Effect<M> {}

    /** Deliver {@code message} to each of {@code to}, lowest number first. */
    record SendAll<M>(NodeSet to, M message) implements Effect<M> {}

    /** Let {@link Timed#timeout} happen once, in between; replaces this alarm if it is set. */
    record SetTimer<M>(Enum<?> timer, Duration atLeast, Duration atMost) implements Effect<M> {}

    /** Unset this alarm, if it is set: it will not elapse. */
    record CancelTimer<M>(Enum<?> timer) implements Effect<M> {}

    /** Let {@link Randomized#drawn} happen at once, with an outcome from zero up to less than {@code sides}. */
    record Draw<M>(int bound) implements Effect<M> {}

    /** Let the application in. {@code fence} is larger than that of every earlier grant. */
    record Grant<M>(long fence) implements Effect<M> {}

    /** Tell the application who leads, be it this node or another. Terms grow where there is one leader a term. */
    record Elected<M>(NodeId leader, long term) implements Effect<M> {}

    /** Tell the application that it is no longer inside, or that nobody leads that it knows of. */
    record Lost<M>() implements Effect<M> {}

    /** Tell whoever listens that the peer seems to be down; it was not suspected before. */
    record Suspect<M>(NodeId peer) implements Effect<M> {}

    /** Tell whoever listens that the suspected peer seems to be up again, or to have been up all the time. */
    record Restore<M>(NodeId peer) implements Effect<M> {}
}
