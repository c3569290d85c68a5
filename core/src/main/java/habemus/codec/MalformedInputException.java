package habemus.codec;

/** These bytes are none of ours: whoever sent them, nothing comes of them but this. */
public final class MalformedInputException extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public MalformedInputException(String what) {
        super(what);
    }

    MalformedInputException(String what, Throwable cause) {
        super(what, cause);
    }

    static void unless(boolean fine, String otherwise) {
        if (!fine) {
            throw new MalformedInputException(otherwise);
        }
    }
}
