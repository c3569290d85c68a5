package habemus.codec;

import java.util.function.Supplier;

/** Thrown when bytes cannot be decoded. Decoding has no other effect. */
public final class MalformedInputException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public MalformedInputException(String message) {
        super(message);
    }

    MalformedInputException(String message, Throwable cause) {
        super(message, cause);
    }

    /** @param message what is wrong; not formatted for well-formed input, which is the common case */
    static void unless(boolean isWellFormed, Supplier<String> message) {
        if (!isWellFormed) {
            throw new MalformedInputException(message.get());
        }
    }
}
