package habemus.harness.simulation;

import java.util.PriorityQueue;

/**
 * The queue of everything that happens later in a simulated run, ordered by virtual time. Events of the same time
 * run in the order in which they were added. So a run depends on its seed only.
 */
final class VirtualTime {

    /** An event that is planned. */
    static final class PlannedEvent implements Comparable<PlannedEvent> {
        private final long nanos;
        private final long number;
        private Runnable action;

        private PlannedEvent(long nanos, long number, Runnable action) {
            this.nanos = nanos;
            this.number = number;
            this.action = action;
        }

        /** Prevents the event, unless it has happened. */
        void cancel() {
            action = () -> {};
        }

        @Override
        public int compareTo(PlannedEvent other) {
            return nanos == other.nanos ? Long.compare(number, other.number) : Long.compare(nanos, other.nanos);
        }
    }

    private final PriorityQueue<PlannedEvent> queue = new PriorityQueue<>(1_024);
    private final RunTrace trace;
    private long nowNanos;
    private long count;

    VirtualTime(RunTrace trace) {
        this.trace = trace;
    }

    /** Nanoseconds since the start of the run. */
    long now() {
        return nowNanos;
    }

    /** How many events were planned. */
    long count() {
        return count;
    }

    /** Plans an event. One of the past happens now. */
    PlannedEvent at(long nanos, Runnable action) {
        var event = new PlannedEvent(Math.max(nanos, nowNanos), count++, action);
        queue.add(event);
        return event;
    }

    PlannedEvent after(long nanos, Runnable action) {
        return at(nowNanos + nanos, action);
    }

    /** Runs all events up to a time, in order. */
    void runUntil(long endNanos) {
        while (!queue.isEmpty() && queue.peek().nanos <= endNanos && !trace.isViolated()) {
            var next = queue.remove();
            nowNanos = next.nanos;
            next.action.run();
        }
        nowNanos = Math.max(nowNanos, endNanos);
    }
}
