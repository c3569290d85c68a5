package habemus.client;

/** Something that a caller cannot prevent, and may want to handle. Each kind says what to do. */
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
