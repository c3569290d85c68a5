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
        assertThat(topology.highest()).isEqualTo(size);
        assertThat(topology.shape()).isEqualTo(Topology.Shape.COMPLETE);
        for (NodeId self : topology.nodes()) {
            var place = topology.place(self);
            assertThat(place.self()).isEqualTo(self);
            assertThat(place.neighbours()).isSorted().hasSize(size - 1).doesNotContain(self);
            assertThat(place.peers()).isEqualTo(NodeSet.of(topology.nodes()).without(self));
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
            var next = topology.place(at).next();
            assertThat(topology.place(next).previous()).isEqualTo(at);
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
        assertThat(ring.place(node(17)).neighbours()).isEqualTo(nodes(24, 28));
        assertThat(ring.place(node(24)).neighbours()).isEqualTo(nodes(1, 17));
        assertThat(ring.place(node(1)).neighbours()).isEqualTo(nodes(28, 24));
        assertThat(ring.place(node(28)).neighbours()).isEqualTo(nodes(17, 1));
    }

    @Test
    void the_highest_number_is_not_the_size_where_there_are_gaps() {
        var ring = Topology.ring(nodes(17, 24, 1, 28));
        assertThat(ring.size()).isEqualTo(4);
        assertThat(ring.highest()).isEqualTo(28);
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
    void names_who_is_missing_among_whom() {
        var ring = Topology.ring(nodes(17, 24, 1));
        assertThatCode(() -> ring.require(nodes(1, 24))).doesNotThrowAnyException();
        assertThatThrownBy(() -> ring.require(nodes(1, 2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no n2 among n17 n24 n1");
        assertThatThrownBy(() -> Topology.complete(20).require(nodes(21))).hasMessage("there is no n21 among n1 … n20");
    }
}
