package habemus.cli.terminal;

/** Ends a command with an error: what failed, a hint what to do, and the exit code. */
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

    /** The command line is wrong. */
    public static CommandException usage(String message, String hint) {
        return new CommandException(ExitCode.USAGE, message, hint);
    }

    /** The command line is right, but the command cannot run here and now. */
    public static CommandException failure(String message, String hint) {
        return new CommandException(ExitCode.FAILURE, message, hint);
    }

    /** A node stopped at a bug of its algorithm. */
    public static CommandException bug(String message, String hint) {
        return new CommandException(ExitCode.BUG, message, hint);
    }

    /** The lock or the leadership was lost while the child process ran. */
    public static CommandException lockLost(String message, String hint) {
        return new CommandException(ExitCode.LOCK_LOST, message, hint);
    }

    /** The lock was not acquired within the timeout. */
    public static CommandException notAcquired(String message, String hint) {
        return new CommandException(ExitCode.VIOLATED, message, hint);
    }

    /** What the command was asked to check is damaged. */
    public static CommandException rejected(String message, String hint) {
        return new CommandException(ExitCode.VIOLATED, message, hint);
    }

    /** @param location {@code FILE:LINE} */
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
