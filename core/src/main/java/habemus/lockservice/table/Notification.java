package habemus.lockservice.table;

import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;

/** What a command has brought about, for those whom it concerns. */
public sealed interface Notification {

    record SessionOpened(long nonce, long session) implements Notification {}

    /** It is in the log that this renewal has arrived. */
    record SessionRenewed(long session, long number) implements Notification {}

    /** Also unasked, when one who waited is let in or one who was in is put out. */
    record Result(long session, long number, OperationResult result) implements Notification {}

    /** The session is over, or never was, or not any more; whatever it had is gone. */
    record SessionExpired(long session) implements Notification {}

    /** Somebody was let in, left, joined the line or left it. */
    record ResourceChanged(ResourceName resourceName) implements Notification {}
}
