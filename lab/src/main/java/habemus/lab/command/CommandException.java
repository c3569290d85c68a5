package habemus.lab.command;

import java.util.List;
import java.util.function.UnaryOperator;

/** Ends a command with an error: what failed, a hint what to do, and the exit code. */
public final class CommandException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final int code;
    private final String message;
    private final String hint;
    private final transient List<String> details;

    private CommandException(int code, String message, String hint, List<String> details) {
        super(message);
        this.code = code;
        this.message = message;
        this.hint = hint;
        this.details = List.copyOf(details);
    }

    /** The command line is wrong. */
    public static CommandException usage(String message, String hint) {
        return new CommandException(ExitCode.USAGE, message, hint, List.of());
    }

    /** The command line is right, but the command cannot run here and now. */
    public static CommandException failure(String message, String hint) {
        return new CommandException(ExitCode.FAILURE, message, hint, List.of());
    }

    /**
     * The command cannot run here and now.
     *
     * @param cause whose message may end with a line {@code hint: …}
     * @param defaultHint if it does not
     */
    public static CommandException withHint(Throwable cause, String defaultHint) {
        var parts = String.valueOf(cause.getMessage()).split("\nhint: ", 2);
        return failure(parts[0], parts.length > 1 ? parts[1] : defaultHint);
    }

    /** A search ended before it was complete. */
    public static CommandException incomplete(String message, String hint) {
        return new CommandException(ExitCode.INCOMPLETE, message, hint, List.of());
    }

    /** A node stopped at a bug of its algorithm. */
    public static CommandException bug(String message, String hint) {
        return new CommandException(ExitCode.BUG, message, hint, List.of());
    }

    /** The lock or the leadership was lost while the child process ran. */
    public static CommandException lockLost(String message, String hint) {
        return new CommandException(ExitCode.LOCK_LOST, message, hint, List.of());
    }

    /** The lock was not acquired within the timeout. */
    public static CommandException notAcquired(String message, String hint) {
        return new CommandException(ExitCode.VIOLATED, message, hint, List.of());
    }

    /** What the command was asked to check is damaged. */
    public static CommandException rejected(String message, String hint) {
        return new CommandException(ExitCode.VIOLATED, message, hint, List.of());
    }

    /** @param location {@code FILE:LINE} */
    public CommandException withLocation(String location) {
        return new CommandException(code, location + ": " + message, hint, details);
    }

    /** The same error with another wording of its message and hint. */
    public CommandException reworded(UnaryOperator<String> wording) {
        return new CommandException(code, wording.apply(message), wording.apply(hint), details);
    }

    /** @param lines printed between the message and the hint, such as the lines of a file with an error */
    public CommandException withDetails(List<String> lines) {
        return new CommandException(code, message, hint, lines);
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

    public List<String> details() {
        return details;
    }
}
