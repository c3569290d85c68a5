package habemus.client;

/**
 * Others held it, or were before us in the line, for as long as the caller wanted to wait. The request has been taken
 * back: nothing is held, and nobody waits. Try again later, or see who holds it with {@link Lock#describe}.
 */
public final class LockTimeoutException extends HabemusException {

    private static final long serialVersionUID = 1;

    LockTimeoutException(String message) {
        super(message);
    }
}
