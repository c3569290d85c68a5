package habemus.cli;

/** What a command's exit code means. */
final class ExitCode {

    /** Done; whatever was judged holds. */
    static final int DONE = 0;
    /** A property was violated. */
    static final int VIOLATED = 1;

    static final int WRONG_USAGE = 2;
    static final int CANNOT_RUN = 3;

    private ExitCode() {}
}
