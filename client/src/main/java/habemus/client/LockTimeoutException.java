package habemus.client;

/**
 * The lock was not granted within the caller's timeout: other clients held it, or were ahead in the queue. The request
 * is cancelled, and nothing is held. Try again later, or find the holder with {@link Lock#describe}.
 */
public final class LockTimeoutException extends HabemusException {

    private static final long serialVersionUID = 1;

    LockTimeoutException(String message) {
        super(message);
    }
}
