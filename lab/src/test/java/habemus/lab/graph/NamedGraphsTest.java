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
    void a_grid_connects_horizontal_and_vertical_neighbours() {
        assertThat(text(NamedGraphs.grid(2, 3))).isEqualTo("1-2,1-4,2-3,2-5,3-6,4-5,5-6");
        assertThat(text(NamedGraphs.grid(1, 3))).isEqualTo("1-2,2-3");
        assertThat(text(NamedGraphs.grid(1, 1))).isEqualTo("1");
    }

    @Test
    void every_inner_node_of_a_balanced_tree_has_the_given_number_of_children() {
        assertThat(text(NamedGraphs.balancedTree(6, 2))).isEqualTo("1-2,1-3,2-4,2-5,3-6");
        assertThat(text(NamedGraphs.balancedTree(4, 3))).isEqualTo("1-2,1-3,1-4");
        assertThat(text(NamedGraphs.balancedTree(1, 2))).isEqualTo("1");
    }

    /** These values must never change: a recorded seed must generate the same graph in every version. */
    @Test
    void the_same_seed_makes_the_same_graph_on_every_machine() {
        assertThat(text(NamedGraphs.tree(8, 1))).isEqualTo("1-5,1-7,2-8,3-7,4-6,4-8,6-7");
        assertThat(text(NamedGraphs.random(6, 0.5, 1))).isEqualTo("1-3,1-5,1-6,2-3,2-5,2-6,3-6,4-5");
        assertThat(text(NamedGraphs.scaleFree(7, 2, 1))).isEqualTo("1-2,1-3,1-4,1-5,1-6,2-3,2-7,3-4,3-5,3-7,4-6");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 10, 1_000})
    void a_tree_is_connected_and_has_one_edge_fewer_than_nodes(int size) {
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
    void a_random_graph_with_probability_0_has_no_edges_and_with_1_all() {
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
    void a_grid_of_a_hundred_thousand_nodes_is_generated_quickly() {
        var graph = NamedGraphs.grid(250, 400);
        assertThat(graph.size()).isEqualTo(100_000);
        assertThat(NamedGraphs.connectedComponents(graph)).hasSize(1);
    }

    @Test
    void connected_components_are_sorted_by_node_number() {
        assertThat(NamedGraphs.connectedComponents(read("5-4", "1-2", "2-3", "9")))
                .containsExactly(nodes(1, 2, 3), nodes(4, 5), nodes(9));
        assertThat(NamedGraphs.connectedComponents(Topology.ring(3))).containsExactly(nodes(1, 2, 3));
        assertThat(NamedGraphs.connectedComponents(Topology.complete(1))).containsExactly(nodes(1));
    }

    @Test
    void an_edge_has_several_notations() {
        assertThat(text(read("1 2", "n2 - n3", " 3-4 ", "4\t5", "7 -- 5", "6", "2 1")))
                .isEqualTo("1-2,2-3,3-4,4-5,5-7,6");
    }

    @Test
    void an_invalid_edge_is_rejected() {
        assertThatThrownBy(() -> read("1 to 2")).hasMessage("not an edge: '1 to 2'");
        assertThatThrownBy(() -> read("1 2 3")).hasMessage("not an edge: '1 2 3'");
        assertThatThrownBy(() -> read("2 2")).hasMessage("the ends of an edge must differ, were both n2");
        assertThatThrownBy(() -> read("0 2")).hasMessageContaining("was 0");
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
