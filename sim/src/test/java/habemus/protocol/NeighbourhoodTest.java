package habemus.protocol;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Topology;
import org.junit.jupiter.api.Test;

class NeighbourhoodTest {

    private static NodeId nextExcept(int self, int... excluded) {
        return Topology.complete(4).neighbourhood(n(self)).nextExcept(nodes(excluded));
    }

    @Test
    void the_successor_has_the_next_number() {
        assertThat(nextExcept(2)).isEqualTo(n(3));
        assertThat(nextExcept(1)).isEqualTo(n(2));
    }

    @Test
    void the_successor_of_the_last_node_is_the_first() {
        assertThat(nextExcept(4)).isEqualTo(n(1));
    }

    @Test
    void excluded_nodes_are_skipped() {
        assertThat(nextExcept(2, 3)).isEqualTo(n(4));
        assertThat(nextExcept(2, 3, 4)).isEqualTo(n(1));
    }

    @Test
    void a_node_without_peers_is_its_own_successor() {
        assertThat(nextExcept(2, 1, 3, 4)).isEqualTo(n(2));
        assertThat(Topology.complete(1).neighbourhood(n(1)).nextExcept(NodeSet.NONE))
                .isEqualTo(n(1));
    }
}
