package habemus.lockservice;

import habemus.protocol.WireTags;
import java.util.List;

/** What becomes of a request. */
@WireTags({
    OperationResult.Busy.class,
    OperationResult.Cancelled.class,
    OperationResult.Closed.class,
    OperationResult.Granted.class,
    OperationResult.Rejected.class,
    OperationResult.Released.class,
    OperationResult.Revoked.class,
    OperationResult.Waiting.class
})
public sealed interface OperationResult {

    /** In line; another answer to the same request will follow. */
    record Waiting() implements OperationResult {}

    /** @param fence the index of the command that let it in: larger than all before; in an election, the term */
    record Granted(long fence) implements OperationResult {}

    /** Not now. */
    record Busy(List<Holder> holders) implements OperationResult {}

    /** It has nothing by that claim, from now on; the same if it never had. */
    record Released() implements OperationResult {}

    /** The request was taken back before it was granted, or before it arrived. */
    record Cancelled() implements OperationResult {}

    /** By nobody's wish but an operator's. */
    record Revoked(String operator, String reason) implements OperationResult {}

    record Rejected(RejectionReason reason) implements OperationResult {}

    /** The session is over. */
    record Closed() implements OperationResult {}

    enum RejectionReason {
        /** Others use it with another size. */
        SIZE_MISMATCH,
        /** A request without wants, or that names something twice, or an election among others. */
        INVALID_COMBINATION,
        /** Nobody of that name is a candidate. */
        NO_CANDIDATE,
        /** The claim does not lead. */
        NOT_LEADER,
        /** By the node, before the log: whoever asks has no right to it. */
        FORBIDDEN,
        /** By the node, before the log: too many wait or hold already, or this session has asked too much at once. */
        LIMIT_EXCEEDED,
        /** By the node, before the log: a name is empty, or longer than allowed. */
        INVALID_NAME
    }
}
