package habemus.protocol;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.world.Topology;
import org.junit.jupiter.api.Test;

class NeighbourhoodTest {

    private static NodeId nextBut(int self, int... left) {
        return Topology.complete(4).neighbourhood(n(self)).nextExcept(nodes(left));
    }

    @Test
    void the_next_is_the_one_with_the_next_number() {
        assertThat(nextBut(2)).isEqualTo(n(3));
        assertThat(nextBut(1)).isEqualTo(n(2));
    }

    @Test
    void the_last_is_followed_by_the_first() {
        assertThat(nextBut(4)).isEqualTo(n(1));
    }

    @Test
    void who_is_left_out_is_skipped() {
        assertThat(nextBut(2, 3)).isEqualTo(n(4));
        assertThat(nextBut(2, 3, 4)).isEqualTo(n(1));
    }

    @Test
    void who_is_alone_follows_itself() {
        assertThat(nextBut(2, 1, 3, 4)).isEqualTo(n(2));
        assertThat(Topology.complete(1).neighbourhood(n(1)).nextExcept(NodeSet.NONE))
                .isEqualTo(n(1));
    }
}
