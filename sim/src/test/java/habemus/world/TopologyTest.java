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
    void where_all_can_talk_everybody_else_is_a_neighbour_by_number(int size) {
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
    void whoever_follows_the_ring_meets_everybody_and_comes_home(int size) {
        var topology = Topology.ring(size);
        var met = NodeSet.NONE;
        var at = node(1);
        for (int i = 0; i < size; i++) {
            met = met.with(at);
            var next = topology.neighbourhood(at).next();
            assertThat(topology.neighbourhood(next).previous()).isEqualTo(at);
            at = next;
        }
        assertThat(met).isEqualTo(NodeSet.of(topology.nodes()));
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
    void has_at_least_one_node_and_each_once() {
        assertThatThrownBy(() -> Topology.complete(0)).hasMessageContaining("not 0");
        assertThatThrownBy(() -> Topology.ring(-1)).hasMessageContaining("not -1");
        assertThatThrownBy(() -> Topology.complete(NodeId.LIMIT)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Topology.ring(List.of())).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Topology.ring(nodes(1, 2, 1))).hasMessageContaining("[n1, n2, n1]");
    }

    @Test
    void in_a_graph_whoever_shares_an_edge_are_neighbours_by_number() {
        var graph = Topology.graph(nodes(9, 2, 5), List.of(edge(9, 2), edge(5, 2), edge(2, 9)));
        assertThat(graph.shape()).isEqualTo(Topology.Shape.GRAPH);
        assertThat(graph.nodes()).isEqualTo(nodes(2, 5, 9));
        assertThat(graph.highestNumber()).isEqualTo(9);
        assertThat(graph.neighbourhood(node(2)).neighbours()).isEqualTo(nodes(5, 9));
        assertThat(graph.neighbourhood(node(5)).neighbours()).isEqualTo(nodes(2));
        assertThat(graph.neighbourhood(node(9)).neighbours()).isEqualTo(nodes(2));
    }

    @Test
    void a_graph_may_have_nodes_without_edges() {
        var graph = Topology.graph(nodes(1, 2), List.of());
        assertThat(graph.neighbourhood(node(1)).neighbours()).isEmpty();
        assertThatThrownBy(() -> Topology.graph(List.of(), List.of())).hasMessageContaining("not 0");
    }

    @Test
    void an_edge_joins_two_nodes_that_are_there() {
        assertThatThrownBy(() -> edge(3, 3)).hasMessage("an edge joins two nodes, not n3 with itself");
        assertThatThrownBy(() -> Topology.graph(nodes(1, 2), List.of(edge(2, 3))))
                .hasMessage("an edge ends at n3, which is not among the nodes");
    }

    @Test
    void a_graph_of_a_hundred_thousand_nodes_is_no_matter() {
        var nodes = IntStream.rangeClosed(1, 100_000).mapToObj(NodeId::new).toList();
        var edges = IntStream.rangeClosed(2, 100_000).mapToObj(i -> edge(i, i / 2));
        var tree = Topology.graph(nodes, edges.toList());
        assertThat(tree.neighbourhood(node(7)).neighbours()).isEqualTo(nodes(3, 14, 15));
        assertThat(tree.neighbourhood(node(1)).neighbours()).isEqualTo(nodes(2, 3));
    }

    @Test
    void who_asks_for_any_graph_runs_on_every_shape_and_nobody_else_does() {
        for (var shape : Topology.Shape.values()) {
            assertThat(Topology.Shape.GRAPH.admits(shape)).isTrue();
            assertThat(shape.admits(shape)).isTrue();
        }
        assertThat(Topology.Shape.RING.admits(Topology.Shape.GRAPH)).isFalse();
        assertThat(Topology.Shape.RING.admits(Topology.Shape.COMPLETE)).isFalse();
        assertThat(Topology.Shape.COMPLETE.admits(Topology.Shape.GRAPH)).isFalse();
    }

    private static Topology.Edge edge(int one, int other) {
        return new Topology.Edge(node(one), node(other));
    }

    @Test
    void names_who_is_missing_among_whom() {
        var ring = Topology.ring(nodes(17, 24, 1));
        assertThatCode(() -> ring.requireKnown(nodes(1, 24))).doesNotThrowAnyException();
        assertThatThrownBy(() -> ring.requireKnown(nodes(1, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no n2 among n17 n24 n1");
        assertThatThrownBy(() -> Topology.complete(20).requireKnown(nodes(21)))
                .hasMessage("there is no n21 among n1 … n20");
    }
}
