package habemus.protocol;

/** What an observer of a {@link ThreadProgram} sees of a thread or of a shared object. */
@WireTags({
    Milestone.Requested.class,
    Milestone.Entered.class,
    Milestone.Exited.class,
    Milestone.Invoked.class,
    Milestone.Returned.class,
    Milestone.Updated.class,
    Milestone.Stored.class,
    Milestone.Parked.class,
    Milestone.Unparked.class
})
public sealed interface Milestone {

    /** The thread wants to enter its section: what it needs a lock, a permit or a condition for. */
    record Requested() implements Milestone {}

    /** @param limit how many threads may be in the section together with this one; 1 for mutual exclusion */
    record Entered(int limit) implements Milestone {}

    record Exited() implements Milestone {}

    /** The thread begins an operation that must seem to take effect at once. */
    record Invoked(Operation operation) implements Milestone {}

    record Returned(int result) implements Milestone {}

    /** The thread has added {@code amount} to a shared object. */
    record Updated(NodeId object, int amount) implements Milestone {}

    /** The shared object holds this value, at the start or after a write. */
    record Stored(int value) implements Milestone {}

    /** The thread waits at this monitor until it is notified. */
    record Parked(NodeId thread) implements Milestone {}

    /** The thread, which waited at this monitor, is notified. */
    record Unparked(NodeId thread) implements Milestone {}
}
