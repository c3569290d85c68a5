package habemus.lockservice.table;

import habemus.lockservice.OperationResult;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.ResourceName;

/** An effect of an applied command that a client must learn of. */
public sealed interface Notification {

    record SessionOpened(long nonce, long session) implements Notification {
        /** Does not show the nonce. */
        @Override
        public String toString() {
            return "SessionOpened(session " + session + ")";
        }
    }

    /** The session was not opened. */
    record SessionRefused(long nonce, RejectionReason reason) implements Notification {
        /** Does not show the nonce. */
        @Override
        public String toString() {
            return "SessionRefused(" + reason + ")";
        }
    }

    /** The renewal of this number is committed. */
    record SessionRenewed(long session, long number) implements Notification {}

    /** A result. Also published without a submission, when a waiter is granted or a hold is revoked. */
    record Result(long session, long number, OperationResult result) implements Notification {}

    /** The session has ended, or never existed; it holds nothing. */
    record SessionExpired(long session) implements Notification {}

    /** The holders or the queue of this resource changed. */
    record ResourceChanged(ResourceName name) implements Notification {}
}
