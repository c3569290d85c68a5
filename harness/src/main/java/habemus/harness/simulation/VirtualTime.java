package habemus.harness.simulation;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The queue of everything that happens later in a simulated run, ordered by virtual time. Events of the same time
 * run in the order in which they were added. So a run depends on its seed only.
 *
 * <p>Events of the present wait in a plain queue, and later ones in a heap with four children a node.
 */
final class VirtualTime {

    private static final int CHILDREN = 4;

    /** An event that is planned. */
    static final class PlannedEvent {
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

        private boolean isBefore(PlannedEvent other) {
            return nanos < other.nanos || nanos == other.nanos && number < other.number;
        }
    }

    private final RunTrace trace;
    private final ArrayDeque<PlannedEvent> present = new ArrayDeque<>();
    private @Nullable PlannedEvent[] heap = new PlannedEvent[1_024];
    private int size; // of the heap
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
        if (event.nanos == nowNanos) {
            present.add(event);
        } else {
            push(event);
        }
        return event;
    }

    PlannedEvent after(long nanos, Runnable action) {
        return at(nowNanos + nanos, action);
    }

    /** Runs all events up to a time, in order. */
    void runUntil(long endNanos) {
        for (var next = poll(endNanos); next != null && !trace.isViolated(); next = poll(endNanos)) {
            nowNanos = next.nanos;
            next.action.run();
        }
        nowNanos = Math.max(nowNanos, endNanos);
    }

    private @Nullable PlannedEvent poll(long endNanos) {
        var first = size == 0 ? null : heap[0];
        var waiting = present.peek();
        if (waiting != null && (first == null || waiting.isBefore(first))) {
            return present.poll();
        }
        if (first == null || first.nanos > endNanos) {
            return null;
        }
        var last = heap[--size];
        heap[size] = null;
        if (last != null && size > 0) {
            siftDown(last);
        }
        return first;
    }

    private void push(PlannedEvent event) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
        }
        int at = size++;
        while (at > 0) {
            int parent = (at - 1) / CHILDREN;
            var above = heap[parent];
            if (above == null || above.isBefore(event)) {
                break;
            }
            heap[at] = above;
            at = parent;
        }
        heap[at] = event;
    }

    /** Puts an event at the top, and moves it down to its place. */
    private void siftDown(PlannedEvent event) {
        int at = 0;
        for (int child = 1; child < size; child = CHILDREN * at + 1) {
            int smallest = child;
            for (int other = child + 1; other < Math.min(child + CHILDREN, size); other++) {
                smallest = isBefore(other, smallest) ? other : smallest;
            }
            var below = heap[smallest];
            if (below == null || event.isBefore(below)) {
                break;
            }
            heap[at] = below;
            at = smallest;
        }
        heap[at] = event;
    }

    private boolean isBefore(int left, int right) {
        var first = heap[left];
        var second = heap[right];
        return first != null && second != null && first.isBefore(second);
    }
}
