package habemus.stress;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A queue without locks. The head is a node whose value was taken already; the next node holds the oldest value.
 *
 * <p>A thread that enqueues links its node behind the last one with compare-and-set, and then moves the tail. A thread
 * that finds the tail behind helps. A thread that dequeues moves the head with compare-and-set: only one wins a value.
 *
 * @see <a href="https://doi.org/10.1145/248052.248106">Michael and Scott, PODC 1996</a>
 */
public class MichaelScottQueue {

    /** An element of the list. */
    protected static final class Node {
        private final int value;
        private final AtomicReference<@Nullable Node> next = new AtomicReference<>();

        private Node(int value) {
            this.value = value;
        }
    }

    /** The node before the oldest value. */
    protected final AtomicReference<Node> head = new AtomicReference<>(new Node(0));

    private final AtomicReference<Node> tail = new AtomicReference<>(head.get());

    public void enqueue(int value) {
        var node = new Node(value);
        while (true) {
            var last = tail.get();
            if (last.next.compareAndSet(null, node)) {
                tail.compareAndSet(last, node);
                return;
            }
            help(last);
        }
    }

    private void help(Node last) {
        var next = last.next.get();
        if (next != null) {
            tail.compareAndSet(last, next);
        }
    }

    /** The oldest value, or null if the queue is empty. */
    public @Nullable Integer dequeue() {
        while (true) {
            var first = head.get();
            var next = first.next.get();
            if (next == null) {
                return null;
            }
            help(first); // the tail is never behind the head
            if (moveHead(first, next)) {
                return next.value;
            }
        }
    }

    /** @return whether this thread has moved the head, and the value is its own */
    protected boolean moveHead(Node from, Node to) {
        return head.compareAndSet(from, to);
    }
}
