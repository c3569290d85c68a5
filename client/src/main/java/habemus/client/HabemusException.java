package habemus.client;

/** A failure that a caller cannot prevent and may handle. The Javadoc of each subclass says what to do. */
public abstract sealed class HabemusException extends RuntimeException
        permits StaleFenceException,
                LockLostException,
                LockTimeoutException,
                OutcomeUnknownException,
                RequestRejectedException,
                ServiceUnavailableException {

    private static final long serialVersionUID = 1;

    HabemusException(String message) {
        super(message);
    }
}
