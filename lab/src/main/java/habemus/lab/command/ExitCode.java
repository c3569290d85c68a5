package habemus.lab.command;

/** The exit codes of {@code habemus}. */
public final class ExitCode {

    /** The command succeeded, and no property that counts is violated. */
    public static final int OK = 0;
    /** A property that counts is violated, or a lock was not acquired in time. */
    public static final int VIOLATED = 1;

    public static final int USAGE = 2;
    public static final int FAILURE = 3;
    /** The lock or the leadership was lost while the child process ran. */
    public static final int LOCK_LOST = 4;
    /** A search ended before it decided every property that counts. */
    public static final int INCOMPLETE = 5;
    /** A node stopped at a bug of its algorithm. */
    public static final int BUG = 70;

    /** Interrupted by Ctrl-C while waiting: 128 + SIGINT, as in a shell. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
