package habemus.cli;

/** What a command's exit code means. */
final class ExitCode {

    /** Done; whatever was judged holds. */
    static final int DONE = 0;
    /** A property was violated, or a lock was not to be had in time. */
    static final int VIOLATED = 1;

    static final int WRONG_USAGE = 2;
    static final int CANNOT_RUN = 3;
    /** The lock, or the leadership, was lost while the child ran. */
    static final int LOST = 4;
    /** A node met a bug of its algorithm and stopped. */
    static final int BUG = 70;

    /** Ctrl-C while it waited, as a shell says it. */
    static final int INTERRUPTED = 130;

    private ExitCode() {}
}
