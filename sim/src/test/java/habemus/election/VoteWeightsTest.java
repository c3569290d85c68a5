package habemus.election;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeSet;
import habemus.world.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VoteWeightsTest {

    private static NodeSet voters(String weights) {
        return VoteWeights.parse(weights).voters(Topology.complete(3).neighbourhood(n(2)));
    }

    private static boolean isMajority(String weights, int... some) {
        return VoteWeights.parse(weights).isMajority(nodes(some), nodes(1, 2, 3, 4));
    }

    @Test
    void everybody_votes() {
        assertThat(voters("equal")).isEqualTo(nodes(1, 2, 3));
        assertThat(voters("0,0,1")).isEqualTo(nodes(1, 2, 3));
    }

    @Test
    void half_is_no_majority() {
        assertThat(isMajority("equal", 1, 2)).isFalse();
        assertThat(isMajority("equal", 1, 2, 4)).isTrue();
    }

    @Test
    void a_majority_is_one_of_weight() {
        assertThat(isMajority("4,1,1,1", 1)).isTrue();
        assertThat(isMajority("4,1,1,1", 2, 3, 4)).isFalse();
        assertThat(isMajority("3,1,1,1", 1)).isFalse();
        assertThat(isMajority("0,0,1,0", 1, 2, 4)).isFalse();
    }

    @Test
    void who_is_not_listed_weighs_1() {
        assertThat(isMajority("3", 1, 2)).isTrue();
        assertThat(isMajority("3", 1)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"equal", "3,1,1", "0"})
    void what_is_written_can_be_read(String text) {
        assertThat(VoteWeights.parse(text)).hasToString(text);
    }

    @Test
    void nonsense_is_refused_with_its_reason() {
        assertThatThrownBy(() -> voters("1,1,1,1")).hasMessage("4 weights, but the last node is n3");
        assertThatThrownBy(() -> voters("1,-1")).hasMessage("a weight is from 0 to 1000000000, unlike one of 1,-1");
        assertThatThrownBy(() -> voters("0,0,0")).hasMessage("somebody must have a weight, or nobody can be elected");
    }
}
