package habemus.protocol;

import java.util.OptionalLong;

/**
 * A program of threads that share memory. Every thread is a node, and so is every shared object: a variable, a lock, a
 * monitor. An access is a message to the object and its answer. So an interleaving is an order of deliveries.
 *
 * <p>The threads are the nodes with the lowest numbers. They start to run when they start, and no application calls
 * them. A node reports what an observer of the program sees with {@link Effect.Report}.
 */
public interface ThreadProgram<S, M> extends Protocol<S, M> {

    /** The number of threads: n1 to this one. */
    int threads();

    /** The number of threads and shared objects. */
    int nodes();

    /**
     * Whether a node may report such a milestone. A property that depends on milestones of another kind says nothing
     * about the program. {@link Milestone.Entered} counts only if the section has a limit.
     */
    boolean reports(Class<? extends Milestone> kind);

    /** The value of the shared object that holds the result of the program; empty at all other nodes. */
    OptionalLong result(S state);
}
