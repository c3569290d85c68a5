package habemus.lockservice;

import habemus.protocol.WireTags;
import java.util.List;

/** The result of an {@link Operation}, as the lock table or the node replies it. */
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

    /** The request waits in a queue. A later result for the same request follows. */
    record Waiting() implements OperationResult {}

    /**
     * The session holds all requested shares.
     *
     * @param fence the index of the granting command, larger than every earlier fence; in an election, the term
     */
    record Granted(long fence) implements OperationResult {}

    /** The resource is not free, and the request did not ask to wait. */
    record Busy(List<Holder> holders) implements OperationResult {}

    /** The session holds nothing by this request any more. Also the result if it never did. */
    record Released() implements OperationResult {}

    /** The client cancelled the request before it was granted, or before it arrived. */
    record Cancelled() implements OperationResult {}

    /** An operator released the hold. */
    record Revoked(String operator, String reason) implements OperationResult {}

    /** The request is invalid or not allowed, and had no effect. */
    record Rejected(RejectionReason reason) implements OperationResult {}

    /** The client closed the session. */
    record Closed() implements OperationResult {}

    /** Why a request was rejected, by the table or by the node before the log. */
    enum RejectionReason {
        /** The resource is in use with another size. */
        SIZE_MISMATCH,
        /** The request names no resource, or one twice, or an election together with others. */
        INVALID_COMBINATION,
        /** No waiting candidate has this client name. */
        NO_CANDIDATE,
        /** The request does not hold an election. */
        NOT_LEADER,
        /** The client has no permission for this resource. */
        FORBIDDEN,
        /** Too many requests hold or wait, or this session has too many unanswered requests. */
        LIMIT_EXCEEDED,
        /** A name is empty or too long. */
        INVALID_NAME,
        SESSIONS_FULL("sessions"),
        NAMES_FULL("names"),
        WAITERS_FULL("waiters"),
        BYTES_FULL("bytes"),
        PRINCIPAL_SESSIONS_FULL("sessions-per-principal"),
        PRINCIPAL_NAMES_FULL("names-per-principal"),
        PRINCIPAL_WAITERS_FULL("waiters-per-principal"),
        PRINCIPAL_BYTES_FULL("bytes-per-principal"),
        /** The node has too little free memory. */
        HEAP_FULL("heap");

        private final String quota;

        RejectionReason() {
            this("");
        }

        RejectionReason(String quota) {
            this.quota = quota;
        }

        /** {@return the name of the quota that is full; empty for another reason} */
        public String quota() {
            return quota;
        }
    }
}
