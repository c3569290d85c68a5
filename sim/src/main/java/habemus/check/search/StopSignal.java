package habemus.check.search;

import habemus.check.model.CheckOptions;
import java.util.Optional;
import java.util.function.Supplier;

/** Ends a check early: at its deadline, or when its listener asks for it. */
final class StopSignal {

    private static final long PROGRESS_INTERVAL_NANOS = 200_000_000;

    private final CheckOptions options;
    private final long deadlineNanos;
    private long lastProgressNanos;

    /** @param deadlineNanos in the time of {@link System#nanoTime} */
    StopSignal(CheckOptions options, long deadlineNanos) {
        this.options = options;
        this.deadlineNanos = deadlineNanos;
        lastProgressNanos = System.nanoTime() - PROGRESS_INTERVAL_NANOS;
    }

    /** Why the check must end; empty if it may go on. Asks the listener, but not too often. */
    synchronized Optional<String> reason(Supplier<CheckOptions.Progress> progress) {
        long now = System.nanoTime();
        if (now >= deadlineNanos) {
            return Optional.of("at most " + options.limits().time().toMillis() + " ms");
        }
        if (now - lastProgressNanos < PROGRESS_INTERVAL_NANOS) {
            return Optional.empty();
        }
        lastProgressNanos = now;
        return options.progressListener().shouldContinue(progress.get())
                ? Optional.empty()
                : Optional.of("interrupted");
    }

    /** Lets the next call ask the listener: a new part of the check begins. */
    synchronized void askListenerNext() {
        lastProgressNanos = System.nanoTime() - PROGRESS_INTERVAL_NANOS;
    }
}
