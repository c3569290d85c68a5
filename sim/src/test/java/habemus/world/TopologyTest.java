package habemus.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTest {

    private static List<NodeId> nodes(int... numbers) {
        return IntStream.of(numbers).mapToObj(NodeId::new).toList();
    }

    private static NodeId node(int number) {
        return new NodeId(number);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 70})
    void in_a_complete_graph_all_other_nodes_are_neighbours_by_number(int size) {
        var topology = Topology.complete(size);
        assertThat(topology.nodes())
                .isEqualTo(nodes(IntStream.rangeClosed(1, size).toArray()));
        assertThat(topology.size()).isEqualTo(size);
        assertThat(topology.highestNumber()).isEqualTo(size);
        assertThat(topology.shape()).isEqualTo(Topology.Shape.COMPLETE);
        for (NodeId self : topology.nodes()) {
            var neighbourhood = topology.neighbourhood(self);
            assertThat(neighbourhood.self()).isEqualTo(self);
            assertThat(neighbourhood.neighbours()).isSorted().hasSize(size - 1).doesNotContain(self);
            assertThat(neighbourhood.peers())
                    .isEqualTo(NodeSet.of(topology.nodes()).without(self));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 70})
    void successors_on_a_ring_visit_every_node_and_return(int size) {
        var topology = Topology.ring(size);
        var visited = NodeSet.NONE;
        var at = node(1);
        for (int i = 0; i < size; i++) {
            visited = visited.with(at);
            var next = topology.neighbourhood(at).next();
            assertThat(topology.neighbourhood(next).previous()).isEqualTo(at);
            at = next;
        }
        assertThat(visited).isEqualTo(NodeSet.of(topology.nodes()));
        assertThat(at).isEqualTo(node(1));
    }

    @Test
    void a_ring_keeps_the_order_it_was_given_and_may_have_gaps() {
        var ring = Topology.ring(nodes(17, 24, 1, 28));
        assertThat(ring.nodes()).isEqualTo(nodes(17, 24, 1, 28));
        assertThat(ring.shape()).isEqualTo(Topology.Shape.RING);
        assertThat(ring.neighbourhood(node(17)).neighbours()).isEqualTo(nodes(24, 28));
        assertThat(ring.neighbourhood(node(24)).neighbours()).isEqualTo(nodes(1, 17));
        assertThat(ring.neighbourhood(node(1)).neighbours()).isEqualTo(nodes(28, 24));
        assertThat(ring.neighbourhood(node(28)).neighbours()).isEqualTo(nodes(17, 1));
    }

    @Test
    void the_highest_number_is_not_the_size_where_there_are_gaps() {
        var ring = Topology.ring(nodes(17, 24, 1, 28));
        assertThat(ring.size()).isEqualTo(4);
        assertThat(ring.highestNumber()).isEqualTo(28);
    }

    @Test
    void a_topology_has_at_least_one_node_and_no_duplicates() {
        assertThatThrownBy(() -> Topology.complete(0)).hasMessageContaining("was 0");
        assertThatThrownBy(() -> Topology.ring(-1)).hasMessageContaining("was -1");
        assertThatThrownBy(() -> Topology.complete(NodeId.LIMIT)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Topology.ring(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Topology.ring(nodes(1, 2, 1))).hasMessageContaining("[n1, n2, n1]");
    }

    @Test
    void in_a_graph_nodes_that_share_an_edge_are_neighbours_by_number() {
        var graph = Topology.graph(nodes(9, 2, 5), List.of(edge(9, 2), edge(5, 2), edge(2, 9)));
        assertThat(graph.shape()).isEqualTo(Topology.Shape.GRAPH);
        assertThat(graph.nodes()).isEqualTo(nodes(2, 5, 9));
        assertThat(graph.highestNumber()).isEqualTo(9);
        assertThat(graph.neighbourhood(node(2)).neighbours()).isEqualTo(nodes(5, 9));
        assertThat(graph.neighbourhood(node(5)).neighbours()).isEqualTo(nodes(2));
        assertThat(graph.neighbourhood(node(9)).neighbours()).isEqualTo(nodes(2));
    }

    @Test
    void a_line_connects_consecutive_nodes() {
        var line = Topology.line(3);
        assertThat(line.neighbourhood(node(1)).neighbours()).isEqualTo(nodes(2));
        assertThat(line.neighbourhood(node(2)).neighbours()).isEqualTo(nodes(1, 3));
        assertThat(line.neighbourhood(node(3)).neighbours()).isEqualTo(nodes(2));
    }

    @Test
    void a_graph_may_have_nodes_without_edges() {
        var graph = Topology.graph(nodes(1, 2), List.of());
        assertThat(graph.neighbourhood(node(1)).neighbours()).isEmpty();
        assertThatThrownBy(() -> Topology.graph(List.of(), List.of())).hasMessageContaining("was 0");
    }

    @Test
    void an_edge_connects_two_different_nodes_of_the_graph() {
        assertThatThrownBy(() -> edge(3, 3)).hasMessage("the ends of an edge must differ, were both n3");
        assertThatThrownBy(() -> Topology.graph(nodes(1, 2), List.of(edge(2, 3))))
                .hasMessage("ends of an edge must be nodes of the graph, was n3");
    }

    @Test
    void a_graph_can_have_a_hundred_thousand_nodes() {
        var nodes = IntStream.rangeClosed(1, 100_000).mapToObj(NodeId::new).toList();
        var edges = IntStream.rangeClosed(2, 100_000).mapToObj(i -> edge(i, i / 2));
        var tree = Topology.graph(nodes, edges.toList());
        assertThat(tree.neighbourhood(node(7)).neighbours()).isEqualTo(nodes(3, 14, 15));
        assertThat(tree.neighbourhood(node(1)).neighbours()).isEqualTo(nodes(2, 3));
    }

    @Test
    void the_shape_graph_admits_every_shape_and_the_others_only_themselves() {
        for (var shape : Topology.Shape.values()) {
            assertThat(Topology.Shape.GRAPH.admits(shape)).isTrue();
            assertThat(shape.admits(shape)).isTrue();
        }
        assertThat(Topology.Shape.RING.admits(Topology.Shape.GRAPH)).isFalse();
        assertThat(Topology.Shape.RING.admits(Topology.Shape.COMPLETE)).isFalse();
        assertThat(Topology.Shape.COMPLETE.admits(Topology.Shape.GRAPH)).isFalse();
    }

    private static Topology.Edge edge(int first, int second) {
        return new Topology.Edge(node(first), node(second));
    }

    @Test
    void an_unknown_node_is_named_together_with_the_known_nodes() {
        var ring = Topology.ring(nodes(17, 24, 1));
        assertThatCode(() -> ring.requireKnown(nodes(1, 24))).doesNotThrowAnyException();
        assertThatThrownBy(() -> ring.requireKnown(nodes(1, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown node: n2 (nodes are n17 n24 n1)");
        assertThatThrownBy(() -> Topology.complete(20).requireKnown(nodes(21)))
                .hasMessage("unknown node: n21 (nodes are n1 … n20)");
    }
}
