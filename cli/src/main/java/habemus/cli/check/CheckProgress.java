package habemus.cli.check;

import habemus.check.model.CheckOptions;
import habemus.cli.terminal.InterruptSignal;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;

/** Says how far a search is, and ends it on Ctrl-C. */
final class CheckProgress implements CheckOptions.ProgressListener, AutoCloseable {

    private final ProgressLine progressLine;
    private final InterruptSignal interruptSignal = new InterruptSignal();
    private final long started = System.nanoTime();

    CheckProgress(Terminal terminal) {
        progressLine = new ProgressLine(terminal);
    }

    @Override
    public boolean shouldContinue(CheckOptions.Progress sofar) {
        double seconds = (System.nanoTime() - started) / 1e9;
        var line = describe(sofar, seconds) + ", Ctrl-C: what is known";
        sofar.expectedStates()
                .ifPresentOrElse(
                        all -> progressLine.show(line + describeRemaining(sofar, all, seconds), sofar.states(), all),
                        () -> progressLine.showText(line));
        return !interruptSignal.isInterrupted();
    }

    static String describe(CheckOptions.Progress sofar, double seconds) {
        return "%,d states, %,d/s, %,d to expand, depth %d, %,d MB"
                .formatted(
                        sofar.states(),
                        Math.round(sofar.states() / Math.max(seconds, 0.001)),
                        sofar.frontier(),
                        sofar.depth(),
                        sofar.bytes() >> 20);
    }

    /** As long as it takes if the rest goes as fast as what is done: every state is expanded once. */
    static String describeRemaining(CheckOptions.Progress sofar, long all, double seconds) {
        double done = sofar.states() - sofar.frontier();
        return ", about %,d s left".formatted(Math.round(seconds * Math.max(0, all - done) / Math.max(1, done)));
    }

    /** Nothing more is to be said of the search. */
    void clear() {
        progressLine.clear();
    }

    @Override
    public void close() {
        interruptSignal.close();
    }
}
