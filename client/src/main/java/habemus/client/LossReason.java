package habemus.client;

import java.io.Serializable;

/** Why a grant is not good any more. */
public sealed interface LossReason extends Serializable {

    /** No node has acknowledged a renewal for so long that the service may soon give up on this client. */
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
     * An operator has taken it away.
     *
     * @param operator who did it
     * @param reason what the operator gave as the reason
     */
    record Revoked(String operator, String reason) implements LossReason {
        @Override
        public String toString() {
            return operator + " has taken it away: " + reason;
        }
    }

    /** The client was closed, and everything it held given back. */
    record ClientClosed() implements LossReason {
        @Override
        public String toString() {
            return "the client was closed";
        }
    }

    /** In an election: it was given back by who led. */
    record Resigned() implements LossReason {
        @Override
        public String toString() {
            return "it was given back";
        }
    }

    /**
     * In an election: it was handed to another candidate.
     *
     * @param to the name of that candidate's client
     */
    record Transferred(String to) implements LossReason {
        @Override
        public String toString() {
            return "it was handed to " + to;
        }
    }
}
