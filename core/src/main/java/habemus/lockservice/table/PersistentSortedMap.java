package habemus.lockservice.table;

import habemus.protocol.WireTags;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * An immutable sorted map. A change returns a new map, which shares the unchanged parts with the old one.
 *
 * <p>The map is a treap whose priorities are hashes of the keys. So its shape depends on its entries only, not on the
 * order of changes: maps with equal entries are equal records. A change takes about {@code 2 log n} steps.
 *
 * @see <a href="https://doi.org/10.1007/BF01940876">Seidel and Aragon, Randomized search trees, 1996</a>
 */
@WireTags({PersistentSortedMap.Empty.class, PersistentSortedMap.Node.class})
public sealed interface PersistentSortedMap<K extends Comparable<K>, V> {

    record Empty<K extends Comparable<K>, V>() implements PersistentSortedMap<K, V> {
        private static final Empty<?, ?> ONE = new Empty<Integer, Integer>();

        @Override
        public int size() {
            return 0;
        }

        @Override
        public String toString() {
            return "{}";
        }
    }

    record Node<K extends Comparable<K>, V>(
            K key, V value, PersistentSortedMap<K, V> left, PersistentSortedMap<K, V> right, int size)
            implements PersistentSortedMap<K, V> {
        @Override
        public String toString() {
            var parts = new ArrayList<String>();
            forEach((k, v) -> parts.add(k + "=" + v));
            return "{" + String.join(", ", parts) + "}";
        }

        private Node<K, V> withChildren(PersistentSortedMap<K, V> nextLeft, PersistentSortedMap<K, V> nextRight) {
            return node(key, value, nextLeft, nextRight);
        }

        private boolean isAbove(PersistentSortedMap<K, V> other) {
            return !(other instanceof Node<K, V> node) || compare(node) > 0;
        }

        /** Compares priorities; equal priorities are ordered by key. */
        private int compare(Node<K, V> other) {
            int byPriority = Integer.compare(priority(key), priority(other.key));
            return byPriority != 0 ? byPriority : key.compareTo(other.key);
        }
    }

    @SuppressWarnings("unchecked") // an empty map contains neither keys nor values
    static <K extends Comparable<K>, V> PersistentSortedMap<K, V> empty() {
        return (PersistentSortedMap<K, V>) Empty.ONE;
    }

    /** {@return a map with one entry for each element} */
    static <T, K extends Comparable<K>, V> PersistentSortedMap<K, V> of(
            List<T> elements, Function<? super T, ? extends K> key, Function<? super T, ? extends V> value) {
        PersistentSortedMap<K, V> map = empty();
        for (T element : elements) {
            map = map.with(key.apply(element), value.apply(element));
        }
        return map;
    }

    private static <K extends Comparable<K>, V> Node<K, V> node(
            K key, V value, PersistentSortedMap<K, V> left, PersistentSortedMap<K, V> right) {
        return new Node<>(key, value, left, right, left.size() + 1 + right.size());
    }

    /** Mixes the bits of the hash code, so that neighbouring keys have unrelated priorities. */
    private static int priority(Object key) {
        int h = key.hashCode() * 0x9E3779B9;
        h = (h ^ (h >>> 15)) * 0x85EBCA6B;
        return h ^ (h >>> 13);
    }

    int size();

    default boolean isEmpty() {
        return size() == 0;
    }

    default Optional<V> get(K key) {
        var at = this;
        while (at instanceof Node<K, V> node) {
            int order = key.compareTo(node.key);
            if (order == 0) {
                return Optional.of(node.value);
            }
            at = order < 0 ? node.left : node.right;
        }
        return Optional.empty();
    }

    default boolean contains(K key) {
        return get(key).isPresent();
    }

    /** {@return a copy with this value for this key} */
    default PersistentSortedMap<K, V> with(K key, V value) {
        return switch (this) {
            case Empty<K, V>() -> node(key, value, this, this);
            case Node<K, V> node -> {
                int order = key.compareTo(node.key);
                yield order == 0
                        ? node(key, value, node.left, node.right)
                        : order < 0
                                ? rotateRight(node, (Node<K, V>) node.left.with(key, value))
                                : rotateLeft(node, (Node<K, V>) node.right.with(key, value));
            }
        };
    }

    private static <K extends Comparable<K>, V> Node<K, V> rotateRight(Node<K, V> top, Node<K, V> left) {
        return top.isAbove(left)
                ? top.withChildren(left, top.right)
                : left.withChildren(left.left, top.withChildren(left.right, top.right));
    }

    private static <K extends Comparable<K>, V> Node<K, V> rotateLeft(Node<K, V> top, Node<K, V> right) {
        return top.isAbove(right)
                ? top.withChildren(top.left, right)
                : right.withChildren(top.withChildren(top.left, right.left), right.right);
    }

    /** {@return a copy without this key; this map if it does not contain the key} */
    default PersistentSortedMap<K, V> without(K key) {
        return switch (this) {
            case Empty<K, V> empty -> empty;
            case Node<K, V> node -> {
                int order = key.compareTo(node.key);
                if (order == 0) {
                    yield merge(node.left, node.right);
                }
                var left = order < 0 ? node.left.without(key) : node.left;
                var right = order > 0 ? node.right.without(key) : node.right;
                yield left.size() + 1 + right.size() == node.size ? node : node.withChildren(left, right);
            }
        };
    }

    private static <K extends Comparable<K>, V> PersistentSortedMap<K, V> merge(
            PersistentSortedMap<K, V> left, PersistentSortedMap<K, V> right) {
        if (!(left instanceof Node<K, V> a)) {
            return right;
        }
        if (!(right instanceof Node<K, V> b)) {
            return left;
        }
        return a.isAbove(b) ? a.withChildren(a.left, merge(a.right, b)) : b.withChildren(merge(a, b.left), b.right);
    }

    /** {@return the value of the lowest key} */
    default Optional<V> firstValue() {
        return lowest().map(Node::value);
    }

    default Optional<K> firstKey() {
        return lowest().map(Node::key);
    }

    private Optional<Node<K, V>> lowest() {
        Optional<Node<K, V>> lowest = Optional.empty();
        var at = this;
        while (at instanceof Node<K, V> node) {
            lowest = Optional.of(node);
            at = node.left;
        }
        return lowest;
    }

    /** {@return the value of the highest key below this one} */
    default Optional<V> lowerValue(K key) {
        Optional<V> before = Optional.empty();
        var at = this;
        while (at instanceof Node<K, V> node) {
            boolean below = node.key.compareTo(key) < 0;
            before = below ? Optional.of(node.value) : before;
            at = below ? node.right : node.left;
        }
        return before;
    }

    /** {@return a copy without the keys below this one} */
    default PersistentSortedMap<K, V> tailMap(K least) {
        return switch (this) {
            case Empty<K, V> empty -> empty;
            case Node<K, V> node when node.key.compareTo(least) < 0 -> node.right.tailMap(least);
            case Node<K, V> node -> node.withChildren(node.left.tailMap(least), node.right);
        };
    }

    /** Visits the entries in key order. */
    default void forEach(BiConsumer<? super K, ? super V> each) {
        if (this instanceof Node<K, V> node) {
            node.left.forEach(each);
            each.accept(node.key, node.value);
            node.right.forEach(each);
        }
    }

    default List<K> keys() {
        return map((key, value) -> key);
    }

    default List<V> values() {
        return map((key, value) -> value);
    }

    /** {@return the function applied to every entry, in key order} */
    default <T> List<T> map(BiFunction<? super K, ? super V, ? extends T> each) {
        var all = new ArrayList<T>(size());
        forEach((key, value) -> all.add(each.apply(key, value)));
        return List.copyOf(all);
    }

    /**
     * {@return the function applied to every entry, in key order} An element is made whenever it is read, so a list of
     * large elements needs little memory.
     */
    default <T> List<T> view(BiFunction<? super K, ? super V, ? extends T> each) {
        var map = this;
        return new AbstractList<>() {
            @Override
            public T get(int index) {
                var node = map.nodeAt(index);
                return each.apply(node.key, node.value);
            }

            @Override
            public int size() {
                return map.size();
            }
        };
    }

    private Node<K, V> nodeAt(int index) {
        var at = this;
        int before = Objects.checkIndex(index, size()); // entries of this subtree before the wanted one
        while (at instanceof Node<K, V> node) {
            int left = node.left.size();
            if (before == left) {
                return node;
            }
            at = before < left ? node.left : node.right;
            before = before < left ? before : before - left - 1;
        }
        throw new IllegalStateException("sizes of the nodes are wrong");
    }
}
