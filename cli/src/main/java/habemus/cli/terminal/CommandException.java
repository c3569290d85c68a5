package habemus.cli.terminal;

/** Why a command is not carried out: what is wrong and what to do instead, in a line. */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int code;
    private final String message;
    private final String hint;

    private CommandException(int code, String message, String hint) {
        super(message);
        this.code = code;
        this.message = message;
        this.hint = hint;
    }

    /** What was asked for cannot be meant. */
    public static CommandException usage(String message, String hint) {
        return new CommandException(ExitCode.USAGE, message, hint);
    }

    /** What was asked for makes sense, but cannot be done here and now. */
    public static CommandException failure(String message, String hint) {
        return new CommandException(ExitCode.FAILURE, message, hint);
    }

    /** What must never happen, has: nothing that is said here can help. */
    public static CommandException bug(String message, String hint) {
        return new CommandException(ExitCode.BUG, message, hint);
    }

    /** Whoever was to run under it has none any more. */
    public static CommandException lockLost(String message, String hint) {
        return new CommandException(ExitCode.LOCK_LOST, message, hint);
    }

    /** It was not to be had in time. */
    public static CommandException notAcquired(String message, String hint) {
        return new CommandException(ExitCode.VIOLATED, message, hint);
    }

    /** The same, of a line in a file. */
    public CommandException withLocation(String location) {
        return new CommandException(code, location + ": " + message, hint);
    }

    public int code() {
        return code;
    }

    public String message() {
        return message;
    }

    public String hint() {
        return hint;
    }
}
