package habemus.service.http;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The pending changes of one client of {@code /watch}. The feed has at most one entry per subject. A slow client gets
 * the current state of each subject once, without the states in between.
 */
final class ChangeFeed {

    /**
     * The current state of a subject.
     *
     * @param event the name of the server-sent event
     * @param isLast whether the subject no longer exists, so that its last state need not be kept
     */
    record Change(String event, Object data, boolean isLast) {}

    private final Map<Object, Supplier<Change>> pending = new LinkedHashMap<>(); // by subject
    private final Map<Object, Change> lastSent = new HashMap<>();
    private boolean isClosed;

    /** @param state computes the state when the client is ready to receive it */
    synchronized void put(Object subject, Supplier<Change> state) {
        pending.put(subject, state);
        notifyAll();
    }

    /**
     * Removes subjects that no longer exist.
     *
     * @param sent whose last sent state is forgotten
     * @param unsent whose pending changes are dropped
     */
    synchronized void forget(Predicate<Object> sent, Predicate<Object> unsent) {
        lastSent.keySet().removeIf(sent);
        pending.keySet().removeIf(unsent);
    }

    /** Waits for the next change. Empty if there is none within the timeout, or if the feed is closed. */
    synchronized Optional<Change> next(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        while (!isClosed) {
            var change = poll();
            if (change != null) {
                return Optional.of(change);
            }
            long remaining = (deadline - System.nanoTime()) / 1_000_000;
            if (remaining <= 0) {
                return Optional.empty();
            }
            wait(remaining);
        }
        return Optional.empty();
    }

    private @Nullable Change poll() {
        while (!pending.isEmpty()) {
            var first = pending.entrySet().iterator().next();
            pending.remove(first.getKey());
            var change = first.getValue().get();
            var previous = change.isLast ? lastSent.remove(first.getKey()) : lastSent.put(first.getKey(), change);
            if (!change.equals(previous)) {
                return change;
            }
        }
        return null;
    }

    synchronized boolean isClosed() {
        return isClosed;
    }

    synchronized void close() {
        isClosed = true;
        notifyAll();
    }
}
