package habemus.service.http;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What one client that watches has not been told yet. However slow it is, there is at most one entry for each thing
 * that can change: it is told how that is now, and not all that happened in between.
 */
final class ChangeFeed {

    /**
     * How something is.
     *
     * @param event its kind
     * @param isLast whether nothing is left of it: until it comes back there is nothing to remember
     */
    record Change(String event, Object data, boolean isLast) {}

    private final Map<Object, Supplier<Change>> pending = new LinkedHashMap<>(); // by what can change
    private final Map<Object, Change> lastSent = new HashMap<>();
    private boolean isClosed;

    /** @param how it is, as soon as the client listens */
    synchronized void put(Object subject, Supplier<Change> how) {
        pending.put(subject, how);
        notifyAll();
    }

    /** They have said their last. */
    synchronized void forget(Predicate<Object> subjects, Predicate<Object> untold) {
        lastSent.keySet().removeIf(subjects);
        pending.keySet().removeIf(untold);
    }

    /** The next change, nothing if there was none for so long, or if the watch is over. */
    synchronized Optional<Change> next(long millis) throws InterruptedException {
        long until = System.nanoTime() + millis * 1_000_000;
        while (!isClosed) {
            var change = poll();
            if (change != null) {
                return Optional.of(change);
            }
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return Optional.empty();
            }
            wait(left);
        }
        return Optional.empty();
    }

    private @Nullable Change poll() {
        while (!pending.isEmpty()) {
            var first = pending.entrySet().iterator().next();
            pending.remove(first.getKey());
            var how = first.getValue().get();
            var before = how.isLast ? lastSent.remove(first.getKey()) : lastSent.put(first.getKey(), how);
            if (!how.equals(before)) {
                return how;
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
