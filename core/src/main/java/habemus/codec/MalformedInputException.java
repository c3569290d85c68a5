package habemus.codec;

/** Thrown when bytes cannot be decoded. Decoding has no other effect. */
public final class MalformedInputException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public MalformedInputException(String message) {
        super(message);
    }

    MalformedInputException(String message, Throwable cause) {
        super(message, cause);
    }

    static void unless(boolean isWellFormed, String message) {
        if (!isWellFormed) {
            throw new MalformedInputException(message);
        }
    }
}
