package habemus.client;

/** The service answered no, and will say the same again until something is changed: the hint says what. */
public final class RequestRejectedException extends HabemusException {

    private static final long serialVersionUID = 1;

    /** The reason as one word. */
    private final String code;

    /** What to change. */
    private final String hint;

    RequestRejectedException(String code, String message, String hint) {
        super(message + (hint.isEmpty() ? "" : " (" + hint + ")"));
        this.code = code;
        this.hint = hint;
    }

    /** {@return the reason as one word, for programs} */
    public String code() {
        return code;
    }

    /** {@return what to change; maybe empty} */
    public String hint() {
        return hint;
    }
}
