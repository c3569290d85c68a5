package habemus.client;

/** Something that a caller cannot prevent, and may want to handle. Each kind says what to do. */
public abstract sealed class HabemusException extends RuntimeException
        permits FencedOff, LockLost, LockTimeout, OutcomeUnknown, Refused, Unreachable {

    private static final long serialVersionUID = 1;

    HabemusException(String message) {
        super(message);
    }
}
