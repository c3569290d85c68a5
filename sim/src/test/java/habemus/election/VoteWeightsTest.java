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
    void all_nodes_are_voters() {
        assertThat(voters("equal")).isEqualTo(nodes(1, 2, 3));
        assertThat(voters("0,0,1")).isEqualTo(nodes(1, 2, 3));
    }

    @Test
    void half_of_the_weight_is_no_majority() {
        assertThat(isMajority("equal", 1, 2)).isFalse();
        assertThat(isMajority("equal", 1, 2, 4)).isTrue();
    }

    @Test
    void a_majority_is_a_majority_of_the_weight() {
        assertThat(isMajority("4,1,1,1", 1)).isTrue();
        assertThat(isMajority("4,1,1,1", 2, 3, 4)).isFalse();
        assertThat(isMajority("3,1,1,1", 1)).isFalse();
        assertThat(isMajority("0,0,1,0", 1, 2, 4)).isFalse();
    }

    @Test
    void a_node_that_is_not_listed_has_weight_1() {
        assertThat(isMajority("3", 1, 2)).isTrue();
        assertThat(isMajority("3", 1)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"equal", "3,1,1", "0"})
    void parse_reads_the_result_of_to_string(String text) {
        assertThat(VoteWeights.parse(text)).hasToString(text);
    }

    @Test
    void invalid_weights_are_rejected_with_the_rule() {
        assertThatThrownBy(() -> voters("1,1,1,1"))
                .hasMessage("the number of weights must be at most 3 (the last node is n3), was 4");
        assertThatThrownBy(() -> voters("1,-1")).hasMessage("each weight must be from 0 to 1000000000, were 1,-1");
        assertThatThrownBy(() -> voters("0,0,0")).hasMessage("at least one weight must be positive, were 0,0,0");
    }
}
