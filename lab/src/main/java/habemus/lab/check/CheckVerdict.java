package habemus.lab.check;

import habemus.lab.command.ExitCode;
import habemus.world.KebabCase;

/** The verdict of a check on all properties that count. */
public enum CheckVerdict {
    HOLDS(ExitCode.OK),
    /** No property counts in this world. */
    NOTHING_GUARANTEED(ExitCode.OK),
    /** No property that counts is violated, but not all of them are decided. */
    INCOMPLETE(ExitCode.INCOMPLETE),
    /** Only progress is violated: nodes wait for ever. */
    STUCK(ExitCode.VIOLATED),
    VIOLATED(ExitCode.VIOLATED);

    private final int exitCode;

    CheckVerdict(int exitCode) {
        this.exitCode = exitCode;
    }

    public int exitCode() {
        return exitCode;
    }

    @Override
    public String toString() {
        return KebabCase.of(this);
    }
}
