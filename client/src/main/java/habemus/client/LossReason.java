package habemus.client;

import java.io.Serializable;

/** Why a grant was lost, or a leader deposed. */
public sealed interface LossReason extends Serializable {

    /** No renewal was acknowledged in time. The service may expire the session soon, or has done so. */
    record LeaseExpired() implements LossReason {
        @Override
        public String toString() {
            return "no renewal was acknowledged in time";
        }
    }

    /** The service has ended the session. */
    record SessionExpired() implements LossReason {
        @Override
        public String toString() {
            return "the service has ended the session";
        }
    }

    /**
     * An operator revoked the grant.
     *
     * @param operator name of the operator
     * @param reason the operator's reason
     */
    record Revoked(String operator, String reason) implements LossReason {
        @Override
        public String toString() {
            return "revoked by " + operator + ": " + reason;
        }
    }

    /** The client was closed, which released everything it held. */
    record ClientClosed() implements LossReason {
        @Override
        public String toString() {
            return "the client was closed";
        }
    }

    /** The holder released the grant; in an election, the leader resigned. */
    record Resigned() implements LossReason {
        @Override
        public String toString() {
            return "it was released";
        }
    }

    /**
     * The leader transferred leadership to another candidate.
     *
     * @param to client name of that candidate
     */
    record Transferred(String to) implements LossReason {
        @Override
        public String toString() {
            return "it was transferred to " + to;
        }
    }
}
