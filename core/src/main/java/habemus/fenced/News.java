package habemus.fenced;

/** What a command has brought about, for those whom it concerns. */
public sealed interface News {

    record Opened(long nonce, long session) implements News {}

    /** It is in the log that this renewal has arrived. */
    record Heard(long session, long number) implements News {}

    /** Also unasked, when one who waited is let in or one who was in is put out. */
    record Answered(long session, long number, Answer answer) implements News {}

    /** The session is over, or never was, or not any more; whatever it had is gone. */
    record Gone(long session) implements News {}

    /** Somebody was let in, left, joined the line or left it. */
    record Changed(Name name) implements News {}
}
