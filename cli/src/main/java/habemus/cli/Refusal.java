package habemus.cli;

/** Why a command is not carried out: what is wrong and what to do instead, in a line. */
final class Refusal extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int code;
    private final String message;
    private final String hint;

    private Refusal(int code, String message, String hint) {
        super(message);
        this.code = code;
        this.message = message;
        this.hint = hint;
    }

    /** What was asked for cannot be meant. */
    static Refusal wrong(String message, String hint) {
        return new Refusal(ExitCode.WRONG_USAGE, message, hint);
    }

    /** What was asked for makes sense, but cannot be done here and now. */
    static Refusal cannot(String message, String hint) {
        return new Refusal(ExitCode.CANNOT_RUN, message, hint);
    }

    /** What must never happen, has: nothing that is said here can help. */
    static Refusal bug(String message, String hint) {
        return new Refusal(ExitCode.BUG, message, hint);
    }

    /** Whoever was to run under it has none any more. */
    static Refusal lost(String message, String hint) {
        return new Refusal(ExitCode.LOST, message, hint);
    }

    /** It was not to be had in time. */
    static Refusal busy(String message, String hint) {
        return new Refusal(ExitCode.VIOLATED, message, hint);
    }

    /** The same, of a line in a file. */
    Refusal at(String place) {
        return new Refusal(code, place + ": " + message, hint);
    }

    int code() {
        return code;
    }

    String message() {
        return message;
    }

    String hint() {
        return hint;
    }
}
