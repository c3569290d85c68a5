package habemus.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node set behaves like a sorted set of node ids. */
class NodeSetTest {

    /** Numbers at the bounds of the words, and the highest number. */
    private static final List<Integer> EDGES = List.of(1, 62, 63, 64, 65, 127, 128, 129, 191, 192, NodeId.LIMIT - 1);

    @ParameterizedTest
    @ValueSource(ints = {10, 63, 64, 70, 128, 200, 5_000})
    void a_node_set_behaves_like_a_sorted_set(int highest) {
        for (int seed = 0; seed < 20; seed++) {
            var random = new Random(seed);
            var model = new TreeSet<NodeId>();
            var set = NodeSet.NONE;
            for (int i = 0; i < 100; i++) {
                var node = new NodeId(1 + random.nextInt(highest));
                var others = randomNodes(random, highest);
                set = switch (random.nextInt(6)) {
                    case 0, 1 -> {
                        model.add(node);
                        yield set.with(node);
                    }
                    case 2 -> {
                        model.remove(node);
                        yield set.without(node);
                    }
                    case 3 -> {
                        model.addAll(others);
                        yield set.with(NodeSet.of(others));
                    }
                    case 4 -> {
                        model.removeAll(others);
                        yield set.without(NodeSet.of(others));
                    }
                    default -> {
                        others.add(node);
                        model.retainAll(others);
                        yield set.intersection(NodeSet.of(others));
                    }
                };
                assertSame(set, model);
                assertThat(set.contains(node)).isEqualTo(model.contains(node));
            }
        }
    }

    private static SortedSet<NodeId> randomNodes(Random random, int highest) {
        var nodes = new TreeSet<NodeId>();
        random.ints(random.nextInt(10), 1, highest + 1).forEach(i -> nodes.add(new NodeId(i)));
        return nodes;
    }

    private static void assertSame(NodeSet set, SortedSet<NodeId> model) {
        var numbers = new ArrayList<Integer>();
        set.forEachNumber(numbers::add);
        assertThat(set).containsExactlyElementsOf(model);
        assertThat(numbers).isEqualTo(model.stream().map(NodeId::number).toList());
        assertThat(set.size()).isEqualTo(model.size());
        assertThat(set.isEmpty()).isEqualTo(model.isEmpty());
        assertThat(set).isEqualTo(NodeSet.of(model)).hasSameHashCodeAs(NodeSet.of(model));
    }

    @Test
    void equality_does_not_depend_on_the_order_of_insertion() {
        var order = new ArrayList<>(EDGES.stream().map(NodeId::new).toList());
        var all = NodeSet.of(order);
        for (int seed = 0; seed < 50; seed++) {
            Collections.shuffle(order, new Random(seed));
            var one = NodeSet.NONE;
            for (NodeId node : order) {
                one = one.with(node);
            }
            assertThat(one).isEqualTo(all).hasSameHashCodeAs(all).hasToString(all.toString());
            assertThat(NodeSet.of(order)).isEqualTo(all).hasSameHashCodeAs(all);
        }
    }

    @Test
    void a_set_with_a_removed_node_equals_one_that_never_had_it() {
        var small = nodes(3, 64);
        for (int edge : List.of(65, 128, 1_000, NodeId.LIMIT - 1)) {
            var large = small.with(new NodeId(edge));
            assertThat(large).isNotEqualTo(small);
            assertThat(large.without(new NodeId(edge))).isEqualTo(small).hasSameHashCodeAs(small);
            assertThat(large.without(nodes(edge))).isEqualTo(small).hasSameHashCodeAs(small);
            assertThat(large.intersection(small)).isEqualTo(small).hasSameHashCodeAs(small);
            assertThat(small.intersection(large)).isEqualTo(small).hasSameHashCodeAs(small);
        }
        assertThat(small.without(nodes(3)).without(nodes(64))).isEqualTo(NodeSet.NONE);
    }

    @Test
    void sets_with_different_nodes_are_not_equal() {
        assertThat(nodes(1)).isNotEqualTo(nodes(2)).isNotEqualTo(nodes(65)).isNotEqualTo(NodeSet.NONE);
        assertThat(nodes(64)).isNotEqualTo(nodes(128));
        assertThat(nodes(1)).isNotEqualTo(List.of(new NodeId(1)));
    }

    @Test
    void a_set_is_immutable() {
        var set = nodes(1, 64, 130);
        var shown = set.toString();
        for (int edge : EDGES) {
            var node = new NodeId(edge);
            var unused =
                    List.of(set.with(node), set.without(node), set.with(nodes(edge)), set.without(nodes(edge, 130)));
        }
        assertThat(set).hasToString(shown).isEqualTo(nodes(1, 64, 130));
    }

    @Test
    void a_set_does_not_share_the_array_it_was_made_of() {
        var array = new NodeId[] {new NodeId(1), new NodeId(70)};
        var set = NodeSet.of(array);
        array[1] = new NodeId(2);
        assertThat(set).isEqualTo(nodes(1, 70));
    }

    @Test
    void to_string_lists_the_lowest_node_first() {
        assertThat(NodeSet.NONE).hasToString("{}");
        assertThat(nodes(65, 7, 128, 64)).hasToString("{n7 n64 n65 n128}");
    }

    @Test
    void the_iterator_ends_after_the_last_node() {
        var steps = nodes(63, 64).iterator();
        assertThat(steps.next()).isEqualTo(new NodeId(63));
        assertThat(steps.next()).isEqualTo(new NodeId(64));
        assertThat(steps.hasNext()).isFalse();
        assertThatThrownBy(steps::next).isInstanceOf(NoSuchElementException.class);
    }

    @Test
    void a_node_number_must_be_within_the_limits() {
        assertThatThrownBy(() -> new NodeId(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new NodeId(NodeId.LIMIT)).hasMessageContaining("1048576");
        assertThat(new NodeId(NodeId.LIMIT - 1)).hasToString("n1048575");
    }

    private static NodeSet nodes(int... numbers) {
        var set = NodeSet.NONE;
        for (int number : numbers) {
            set = set.with(new NodeId(number));
        }
        return set;
    }
}
