package habemus.lab.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.world.Topology;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamedGraphsTest {

    private static String text(Topology graph) {
        return EdgeListParser.format(graph);
    }

    private static int edges(Topology graph) {
        return text(graph).split(",", -1).length;
    }

    @Test
    void a_grid_joins_who_stands_side_by_side() {
        assertThat(text(NamedGraphs.grid(2, 3))).isEqualTo("1-2,1-4,2-3,2-5,3-6,4-5,5-6");
        assertThat(text(NamedGraphs.grid(1, 3))).isEqualTo("1-2,2-3");
        assertThat(text(NamedGraphs.grid(1, 1))).isEqualTo("1");
    }

    @Test
    void a_balanced_tree_has_so_many_children_each() {
        assertThat(text(NamedGraphs.balancedTree(6, 2))).isEqualTo("1-2,1-3,2-4,2-5,3-6");
        assertThat(text(NamedGraphs.balancedTree(4, 3))).isEqualTo("1-2,1-3,1-4");
        assertThat(text(NamedGraphs.balancedTree(1, 2))).isEqualTo("1");
    }

    /** These never change: a seed that somebody has written down must make the same graph for ever. */
    @Test
    void the_same_seed_makes_the_same_graph_on_every_machine() {
        assertThat(text(NamedGraphs.tree(8, 1))).isEqualTo("1-5,1-7,2-8,3-7,4-6,4-8,6-7");
        assertThat(text(NamedGraphs.random(6, 0.5, 1))).isEqualTo("1-3,1-5,1-6,2-3,2-5,2-6,3-6,4-5");
        assertThat(text(NamedGraphs.scaleFree(7, 2, 1))).isEqualTo("1-2,1-3,1-4,1-5,1-6,2-3,2-7,3-4,3-5,3-7,4-6");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 1_000})
    void a_tree_is_connected_and_has_an_edge_fewer_than_nodes(int size) {
        var tree = NamedGraphs.tree(size, 5);
        assertThat(tree.size()).isEqualTo(size);
        assertThat(NamedGraphs.connectedComponents(tree)).hasSize(1);
        assertThat(edges(tree)).isEqualTo(Math.max(1, size - 1));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 10, 1_000})
    void a_scale_free_graph_is_connected(int size) {
        assertThat(NamedGraphs.connectedComponents(NamedGraphs.scaleFree(size, 1, 5)))
                .hasSize(1);
        assertThat(NamedGraphs.scaleFree(size, 1, 5).size()).isEqualTo(size);
    }

    @Test
    void a_random_graph_has_no_edge_or_all_at_the_ends() {
        assertThat(NamedGraphs.connectedComponents(NamedGraphs.random(5, 0, 1))).hasSize(5);
        assertThat(edges(NamedGraphs.random(5, 1, 1))).isEqualTo(10);
    }

    @Test
    void a_random_graph_is_connected_almost_always() {
        var connected = IntStream.range(0, 100)
                .filter(seed -> NamedGraphs.connectedComponents(
                                        NamedGraphs.random(40, NamedGraphs.connectedEdgeProbability(40), seed))
                                .size()
                        == 1);
        assertThat(connected.count()).isGreaterThan(90);
    }

    @Test
    void a_hundred_thousand_nodes_are_no_matter() {
        var graph = NamedGraphs.grid(250, 400);
        assertThat(graph.size()).isEqualTo(100_000);
        assertThat(NamedGraphs.connectedComponents(graph)).hasSize(1);
    }

    @Test
    void the_parts_of_a_graph_are_told_by_number() {
        assertThat(NamedGraphs.connectedComponents(read("5-4", "1-2", "2-3", "9")))
                .containsExactly(nodes(1, 2, 3), nodes(4, 5), nodes(9));
        assertThat(NamedGraphs.connectedComponents(Topology.ring(3))).containsExactly(nodes(1, 2, 3));
        assertThat(NamedGraphs.connectedComponents(Topology.complete(1))).containsExactly(nodes(1));
    }

    @Test
    void an_edge_is_written_in_one_of_several_ways() {
        assertThat(text(read("1 2", "n2 - n3", " 3-4 ", "4\t5", "7 -- 5", "6", "2 1")))
                .isEqualTo("1-2,2-3,3-4,4-5,5-7,6");
    }

    @Test
    void what_is_no_edge_is_said() {
        assertThatThrownBy(() -> read("1 to 2")).hasMessage("'1 to 2' is no edge");
        assertThatThrownBy(() -> read("1 2 3")).hasMessage("'1 2 3' is no edge");
        assertThatThrownBy(() -> read("2 2")).hasMessage("an edge joins two nodes, not n2 with itself");
        assertThatThrownBy(() -> read("0 2")).hasMessageContaining("not 0");
    }

    private static Topology read(String... lines) {
        var list = new EdgeListParser();
        List.of(lines).forEach(list::add);
        return list.graph();
    }

    private static List<NodeId> nodes(int... numbers) {
        return IntStream.of(numbers).mapToObj(NodeId::new).toList();
    }
}
