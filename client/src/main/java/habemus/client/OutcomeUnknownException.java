package habemus.client;

/**
 * The session was lost after the request was sent and before its result: it may have been executed or not. Do not
 * repeat it. The session has ended, and the service frees what it held when the lease expires, at the latest.
 */
public final class OutcomeUnknownException extends HabemusException {

    private static final long serialVersionUID = 1;

    OutcomeUnknownException(String message) {
        super(message);
    }
}
