package habemus.log.postgresql;

/** The database did not confirm a call. It may have executed it. The message says what an operator can do. */
final class DatabaseException extends RuntimeException {

    private static final long serialVersionUID = 1;

    /** @param message with a hint in its second line, if there is one */
    DatabaseException(String message, Throwable cause) {
        super(message, cause);
    }

    /** The message in one line. */
    String line() {
        return String.valueOf(getMessage()).replace("\nhint: ", "; hint: ");
    }
}
