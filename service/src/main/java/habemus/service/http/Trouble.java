package habemus.service.http;

/** Why a request is not answered as its client hoped: what is wrong, and what to do instead. */
final class Trouble extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int status;
    private final String code;
    private final String hint;

    /** @param status of HTTP */
    Trouble(int status, String code, String message, String hint) {
        super(message);
        this.status = status;
        this.code = code;
        this.hint = hint;
    }

    /** What was asked cannot be meant. */
    static Trouble wrong(String message, String hint) {
        return new Trouble(400, "wrong", message, hint);
    }

    static Trouble unknown(String message, String hint) {
        return new Trouble(404, "unknown", message, hint);
    }

    int status() {
        return status;
    }

    Answers.Refused body() {
        return new Answers.Refused(new Answers.Reason(code, String.valueOf(getMessage()), hint));
    }
}
