package habemus.cli.check;

import habemus.check.model.CheckOptions;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;

/** Shows the progress of a search, and ends it on Ctrl-C. */
final class CheckProgress implements CheckOptions.ProgressListener, AutoCloseable {

    private final ProgressLine progressLine;
    private final InterruptSignal interrupt = new InterruptSignal();
    private final long started = System.nanoTime();

    CheckProgress(Terminal terminal) {
        progressLine = new ProgressLine(terminal);
    }

    @Override
    public boolean shouldContinue(CheckOptions.Progress progress) {
        double seconds = (System.nanoTime() - started) / 1e9;
        var line = describe(progress, seconds) + ", Ctrl-C prints the findings so far";
        progress.expectedStates()
                .ifPresentOrElse(
                        all -> progressLine.show(
                                line + describeRemaining(progress, all, seconds), progress.states(), all),
                        () -> progressLine.showText(line));
        return !interrupt.isInterrupted();
    }

    static String describe(CheckOptions.Progress progress, double seconds) {
        return "%,d states, %,d/s, %,d to expand, depth %d, %,d MB"
                .formatted(
                        progress.states(),
                        Math.round(progress.states() / Math.max(seconds, 0.001)),
                        progress.frontier(),
                        progress.depth(),
                        progress.bytes() >> 20);
    }

    /** Extrapolates the remaining time: every state is expanded once. */
    static String describeRemaining(CheckOptions.Progress progress, long all, double seconds) {
        double done = progress.states() - progress.frontier();
        return ", about %,d s left".formatted(Math.round(seconds * Math.max(0, all - done) / Math.max(1, done)));
    }

    void clear() {
        progressLine.clear();
    }

    @Override
    public void close() {
        interrupt.close();
    }
}
