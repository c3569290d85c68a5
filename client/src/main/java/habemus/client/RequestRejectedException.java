package habemus.client;

/** The service rejected a request, and will reject it again until something is changed. The hint says what. */
public final class RequestRejectedException extends HabemusException {

    private static final long serialVersionUID = 1;

    /** The reason as one word. */
    private final String code;

    /** What to change. */
    private final String hint;

    RequestRejectedException(String code, String message, String hint) {
        super(message + (hint.isEmpty() ? "" : "\nhint: " + hint));
        this.code = code;
        this.hint = hint;
    }

    /** {@return the reason as one word, for programs} */
    public String code() {
        return code;
    }

    /** {@return what to change; may be empty} */
    public String hint() {
        return hint;
    }
}
