package habemus.wire;

/** These bytes are none of ours: whoever sent them, nothing comes of them but this. */
public final class Malformed extends IllegalArgumentException {

    private static final long serialVersionUID = 1;

    public Malformed(String what) {
        super(what);
    }

    Malformed(String what, Throwable cause) {
        super(what, cause);
    }

    static void unless(boolean fine, String otherwise) {
        if (!fine) {
            throw new Malformed(otherwise);
        }
    }
}
