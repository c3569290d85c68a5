package habemus.lockservice;

import habemus.protocol.WireTags;
import java.util.List;

/** An operation that a client session submits. */
@WireTags({
    Operation.Acquire.class,
    Operation.Close.class,
    Operation.Release.class,
    Operation.Transfer.class,
    Operation.Abandon.class
})
public sealed interface Operation {

    /**
     * Acquires all shares at once, or none.
     *
     * @param waitInQueue if false and a share is not free, the result is {@link OperationResult.Busy}
     * @param rank candidates of higher rank are first in an election's queue; zero for other resources
     */
    record Acquire(List<ResourceShare> shares, boolean waitInQueue, int rank) implements Operation {
        public static Acquire of(ResourceShare... shares) {
            return new Acquire(List.of(shares), true, 0);
        }
    }

    /**
     * Releases or cancels an acquire of the same session; in an election, resigns.
     *
     * @param request number of the acquire
     * @param fence of the grant to release; zero releases the acquire in whatever state it is
     */
    record Release(long request, long fence) implements Operation {
        public Release(long request) {
            this(request, 0);
        }
    }

    /**
     * Hands leadership to the first waiting candidate of the given client name.
     *
     * @param request number of the acquire that holds the election
     * @param to client name of the candidate
     */
    record Transfer(long request, String to) implements Operation {}

    /** Ends the session and releases all its holds. */
    record Close() implements Operation {}

    /**
     * Ends the session of a ticket, because its client has waited long enough. Has no effect if the ticket was asked
     * for again since.
     *
     * @param asking the number of the HTTP request that has ended
     */
    record Abandon(long asking) implements Operation {
        /** Does not show the number, which is the nonce of the session too. */
        @Override
        public String toString() {
            return "Abandon";
        }
    }
}
