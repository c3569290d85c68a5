package habemus.cli;

import habemus.check.Effort;

/** Says how far a search is, and ends it on Ctrl-C. */
final class Lookout implements Effort.Watch, AutoCloseable {

    private final Progress progress;
    private final Interruption interruption = new Interruption();
    private final long started = System.nanoTime();

    Lookout(Terminal terminal) {
        progress = new Progress(terminal);
    }

    @Override
    public boolean goOn(Effort.Sofar sofar) {
        double seconds = (System.nanoTime() - started) / 1e9;
        var line = words(sofar, seconds) + ", Ctrl-C: what is known";
        sofar.expected()
                .ifPresentOrElse(
                        all -> progress.show(line + left(sofar, all, seconds), sofar.states(), all),
                        () -> progress.say(line));
        return !interruption.isAsked();
    }

    static String words(Effort.Sofar sofar, double seconds) {
        return "%,d states, %,d/s, %,d to expand, depth %d, %,d MB"
                .formatted(
                        sofar.states(),
                        Math.round(sofar.states() / Math.max(seconds, 0.001)),
                        sofar.frontier(),
                        sofar.depth(),
                        sofar.bytes() >> 20);
    }

    /** As long as it takes if the rest goes as fast as what is done: every state is expanded once. */
    static String left(Effort.Sofar sofar, long all, double seconds) {
        double done = sofar.states() - sofar.frontier();
        return ", about %,d s left".formatted(Math.round(seconds * Math.max(0, all - done) / Math.max(1, done)));
    }

    /** Nothing more is to be said of the search. */
    void clear() {
        progress.clear();
    }

    @Override
    public void close() {
        interruption.close();
    }
}
