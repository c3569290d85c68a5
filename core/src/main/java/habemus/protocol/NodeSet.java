package habemus.protocol;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.IntConsumer;

/**
 * An immutable set of nodes, iterated by number, lowest first.
 *
 * <p>The set is a bit set: numbers below 64 are in one word, higher numbers in an array that is empty in any real
 * cluster. {@link java.util.Set} does not fit, because its iteration order differs between JVM runs. The order of sent
 * messages would differ too, and a seed would not replay.
 */
public final class NodeSet implements Iterable<NodeId> {

    private static final long[] EMPTY = {};
    public static final NodeSet NONE = new NodeSet(0, EMPTY);

    private final long low;
    private final long[] high; // never modified; no trailing zero word, so equal sets have equal arrays

    private NodeSet(long low, long[] high) {
        this.low = low;
        this.high = high;
    }

    public static NodeSet of(NodeId... nodes) {
        return of(Arrays.asList(nodes));
    }

    public static NodeSet of(Iterable<NodeId> nodes) {
        long low = 0;
        long[] words = EMPTY;
        for (NodeId node : nodes) {
            int i = node.number();
            if (i < Long.SIZE) {
                low |= 1L << i;
            } else {
                words = words.length > word(i) ? words : Arrays.copyOf(words, Math.max(2 * words.length, word(i) + 1));
                words[word(i)] |= 1L << i;
            }
        }
        return new NodeSet(low, trimmed(words));
    }

    public NodeSet with(NodeId node) {
        int i = node.number();
        if (contains(i)) {
            return this;
        }
        if (i < Long.SIZE) {
            return new NodeSet(low | 1L << i, high);
        }
        var words = Arrays.copyOf(high, Math.max(high.length, word(i) + 1));
        words[word(i)] |= 1L << i;
        return new NodeSet(low, words);
    }

    public NodeSet without(NodeId node) {
        int i = node.number();
        if (!contains(i)) {
            return this;
        }
        if (i < Long.SIZE) {
            return new NodeSet(low & ~(1L << i), high);
        }
        var words = high.clone();
        words[word(i)] &= ~(1L << i);
        return new NodeSet(low, trimmed(words));
    }

    public NodeSet with(NodeSet others) {
        var words = Arrays.copyOf(high, Math.max(high.length, others.high.length));
        for (int w = 0; w < others.high.length; w++) {
            words[w] |= others.high[w];
        }
        return new NodeSet(low | others.low, words);
    }

    public NodeSet without(NodeSet others) {
        var words = high.clone();
        for (int w = 0; w < Math.min(words.length, others.high.length); w++) {
            words[w] &= ~others.high[w];
        }
        return new NodeSet(low & ~others.low, trimmed(words));
    }

    /** The nodes that are in both sets. */
    public NodeSet intersection(NodeSet others) {
        return without(without(others));
    }

    public boolean contains(NodeId node) {
        return contains(node.number());
    }

    private boolean contains(int i) {
        if (i < Long.SIZE) {
            return (low & 1L << i) != 0;
        }
        return word(i) < high.length && (high[word(i)] & 1L << i) != 0;
    }

    public boolean isEmpty() {
        return low == 0 && high.length == 0;
    }

    public int size() {
        int size = Long.bitCount(low);
        for (long word : high) {
            size += Long.bitCount(word);
        }
        return size;
    }

    public List<NodeId> toList() {
        var nodes = new ArrayList<NodeId>();
        forEach(nodes::add);
        return List.copyOf(nodes);
    }

    /** Calls {@code action} with every number, ascending, without creating a {@link NodeId} for each. */
    public void forEachNumber(IntConsumer action) {
        forEachBit(low, 0, action);
        for (int w = 0; w < high.length; w++) {
            forEachBit(high[w], (w + 1) << 6, action);
        }
    }

    private static void forEachBit(long bits, int offset, IntConsumer action) {
        for (long remaining = bits; remaining != 0; remaining &= remaining - 1) {
            action.accept(offset + Long.numberOfTrailingZeros(remaining));
        }
    }

    @Override
    public Iterator<NodeId> iterator() {
        return new Iterator<>() {
            private int at = next(0);

            private int next(int from) {
                int end = (high.length + 1) << 6;
                int i = from;
                while (i < end && !contains(i)) {
                    i++;
                }
                return i;
            }

            @Override
            public boolean hasNext() {
                return contains(at);
            }

            @Override
            public NodeId next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                var node = new NodeId(at);
                at = next(at + 1);
                return node;
            }
        };
    }

    private static int word(int i) {
        return (i >> 6) - 1;
    }

    private static long[] trimmed(long[] words) {
        int length = words.length;
        while (length > 0 && words[length - 1] == 0) {
            length--;
        }
        return length == words.length ? words : length == 0 ? EMPTY : Arrays.copyOf(words, length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NodeSet set && low == set.low && Arrays.equals(high, set.high);
    }

    @Override
    public int hashCode() {
        return Long.hashCode(low) * 31 + Arrays.hashCode(high);
    }

    @Override
    public String toString() {
        var text = new StringBuilder("{");
        forEachNumber(i -> text.append(text.length() > 1 ? " n" : "n").append(i));
        return text.append('}').toString();
    }
}
