package habemus.cli.terminal;

/** What a command's exit code means. */
public final class ExitCode {

    /** Done; whatever was judged holds. */
    public static final int OK = 0;
    /** A property was violated, or a lock was not to be had in time. */
    public static final int VIOLATED = 1;

    public static final int USAGE = 2;
    public static final int FAILURE = 3;
    /** The lock, or the leadership, was lost while the child ran. */
    public static final int LOCK_LOST = 4;
    /** A node met a bug of its algorithm and stopped. */
    public static final int BUG = 70;

    /** Ctrl-C while it waited, as a shell says it. */
    public static final int INTERRUPTED = 130;

    private ExitCode() {}
}
