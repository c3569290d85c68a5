package habemus.fenced;

import habemus.protocol.WireTags;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * A sorted map that never changes: every change makes another one, which shares what stays the same.
 *
 * <p>It is a treap whose priorities come from the keys, so its shape depends on what is in it and not on how it came
 * about: equal contents are equal records. A change takes about {@code 2 log n} steps.
 *
 * @see <a href="https://doi.org/10.1007/BF01940876">Seidel and Aragon, Randomized search trees, 1996</a>
 */
@WireTags({Tree.Empty.class, Tree.Fork.class})
public sealed interface Tree<K extends Comparable<K>, V> {

    record Empty<K extends Comparable<K>, V>() implements Tree<K, V> {
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

    record Fork<K extends Comparable<K>, V>(K key, V value, Tree<K, V> left, Tree<K, V> right, int size)
            implements Tree<K, V> {
        @Override
        public String toString() {
            var parts = new ArrayList<String>();
            forEach((k, v) -> parts.add(k + "=" + v));
            return "{" + String.join(", ", parts) + "}";
        }

        private Fork<K, V> over(Tree<K, V> nextLeft, Tree<K, V> nextRight) {
            return fork(key, value, nextLeft, nextRight);
        }

        private boolean isAbove(Tree<K, V> other) {
            return !(other instanceof Fork<K, V> fork) || compare(fork) > 0;
        }

        /** By priority; keys decide between equal ones. */
        private int compare(Fork<K, V> other) {
            int byPriority = Integer.compare(priority(key), priority(other.key));
            return byPriority != 0 ? byPriority : key.compareTo(other.key);
        }
    }

    @SuppressWarnings("unchecked") // nothing is in it
    static <K extends Comparable<K>, V> Tree<K, V> empty() {
        return (Tree<K, V>) Empty.ONE;
    }

    /** Of each of them, by its key. */
    static <T, K extends Comparable<K>, V> Tree<K, V> of(
            List<T> all, Function<? super T, ? extends K> key, Function<? super T, ? extends V> value) {
        Tree<K, V> tree = empty();
        for (T one : all) {
            tree = tree.with(key.apply(one), value.apply(one));
        }
        return tree;
    }

    private static <K extends Comparable<K>, V> Fork<K, V> fork(K key, V value, Tree<K, V> left, Tree<K, V> right) {
        return new Fork<>(key, value, left, right, left.size() + 1 + right.size());
    }

    /** Spreads what hash codes of neighbouring keys have in common. */
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
        while (at instanceof Fork<K, V> fork) {
            int way = key.compareTo(fork.key);
            if (way == 0) {
                return Optional.of(fork.value);
            }
            at = way < 0 ? fork.left : fork.right;
        }
        return Optional.empty();
    }

    default boolean contains(K key) {
        return get(key).isPresent();
    }

    /** The same, with this value for this key. */
    default Tree<K, V> with(K key, V value) {
        return switch (this) {
            case Empty<K, V>() -> fork(key, value, this, this);
            case Fork<K, V> fork -> {
                int way = key.compareTo(fork.key);
                yield way == 0
                        ? fork(key, value, fork.left, fork.right)
                        : way < 0
                                ? raiseLeft(fork, (Fork<K, V>) fork.left.with(key, value))
                                : raiseRight(fork, (Fork<K, V>) fork.right.with(key, value));
            }
        };
    }

    private static <K extends Comparable<K>, V> Fork<K, V> raiseLeft(Fork<K, V> top, Fork<K, V> left) {
        return top.isAbove(left) ? top.over(left, top.right) : left.over(left.left, top.over(left.right, top.right));
    }

    private static <K extends Comparable<K>, V> Fork<K, V> raiseRight(Fork<K, V> top, Fork<K, V> right) {
        return top.isAbove(right) ? top.over(top.left, right) : right.over(top.over(top.left, right.left), right.right);
    }

    /** The same without this key. */
    default Tree<K, V> without(K key) {
        return switch (this) {
            case Empty<K, V> empty -> empty;
            case Fork<K, V> fork -> {
                int way = key.compareTo(fork.key);
                if (way == 0) {
                    yield joined(fork.left, fork.right);
                }
                var left = way < 0 ? fork.left.without(key) : fork.left;
                var right = way > 0 ? fork.right.without(key) : fork.right;
                yield left.size() + 1 + right.size() == fork.size ? fork : fork.over(left, right);
            }
        };
    }

    private static <K extends Comparable<K>, V> Tree<K, V> joined(Tree<K, V> left, Tree<K, V> right) {
        if (!(left instanceof Fork<K, V> a)) {
            return right;
        }
        if (!(right instanceof Fork<K, V> b)) {
            return left;
        }
        return a.isAbove(b) ? a.over(a.left, joined(a.right, b)) : b.over(joined(a, b.left), b.right);
    }

    /** That of the lowest key. */
    default Optional<V> first() {
        return lowest().map(Fork::value);
    }

    default Optional<K> firstKey() {
        return lowest().map(Fork::key);
    }

    private Optional<Fork<K, V>> lowest() {
        Optional<Fork<K, V>> lowest = Optional.empty();
        var at = this;
        while (at instanceof Fork<K, V> fork) {
            lowest = Optional.of(fork);
            at = fork.left;
        }
        return lowest;
    }

    /** That of the highest key below this one. */
    default Optional<V> before(K key) {
        Optional<V> before = Optional.empty();
        var at = this;
        while (at instanceof Fork<K, V> fork) {
            boolean below = fork.key.compareTo(key) < 0;
            before = below ? Optional.of(fork.value) : before;
            at = below ? fork.right : fork.left;
        }
        return before;
    }

    /** The same without all keys below this one. */
    default Tree<K, V> from(K least) {
        return switch (this) {
            case Empty<K, V> empty -> empty;
            case Fork<K, V> fork when fork.key.compareTo(least) < 0 -> fork.right.from(least);
            case Fork<K, V> fork -> fork.over(fork.left.from(least), fork.right);
        };
    }

    /** In the order of the keys. */
    default void forEach(BiConsumer<? super K, ? super V> each) {
        if (this instanceof Fork<K, V> fork) {
            fork.left.forEach(each);
            each.accept(fork.key, fork.value);
            fork.right.forEach(each);
        }
    }

    default List<K> keys() {
        return map((key, value) -> key);
    }

    default List<V> values() {
        return map((key, value) -> value);
    }

    /** Of every key with its value, in the order of the keys. */
    default <T> List<T> map(BiFunction<? super K, ? super V, ? extends T> each) {
        var all = new ArrayList<T>(size());
        forEach((key, value) -> all.add(each.apply(key, value)));
        return List.copyOf(all);
    }
}
