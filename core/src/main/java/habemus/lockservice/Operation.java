package habemus.lockservice;

import habemus.protocol.WireTags;
import java.util.List;

/** What a session asks for. */
@WireTags({Operation.Acquire.class, Operation.Close.class, Operation.Release.class, Operation.Transfer.class})
public sealed interface Operation {

    /**
     * To be let in everywhere at once, or nowhere.
     *
     * @param waitInQueue whether to wait in line; else the answer is {@link OperationResult.Busy} if it cannot be now
     * @param rank in an election who has a higher one comes first; elsewhere zero
     */
    record Acquire(List<ResourceShare> shares, boolean waitInQueue, int rank) implements Operation {
        public static Acquire of(ResourceShare... resourceShares) {
            return new Acquire(List.of(resourceShares), true, 0);
        }
    }

    /** Not to be let in, or no longer, by this claim of the same session: to release, cancel, resign. */
    record Release(long request) implements Operation {}

    /** To resign as the leader by this claim, in favour of a candidate: the oldest of a session that is called so. */
    record Transfer(long request, String to) implements Operation {}

    /** That the session ends, and with it all it has. */
    record Close() implements Operation {}
}
