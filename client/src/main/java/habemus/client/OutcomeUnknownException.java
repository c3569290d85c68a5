package habemus.client;

/**
 * The request was sent, and the session was lost before the answer: it may have been carried out, or not. There is
 * nothing to repeat: the session is over, and whatever it held is free at the latest when its lease has run out.
 */
public final class OutcomeUnknownException extends HabemusException {

    private static final long serialVersionUID = 1;

    OutcomeUnknownException(String message) {
        super(message);
    }
}
