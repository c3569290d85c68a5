package habemus.mutex;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Topology;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The requirements of Maekawa on voting sets, for every construction and up to 200 nodes. */
@Tag("slow")
class VotingSetsTest {

    private static final List<Integer> PLANES = List.of(1, 3, 7, 13, 21, 31, 57, 73, 91, 133, 183);

    static IntStream sizes() {
        return IntStream.rangeClosed(1, 200);
    }

    static Stream<Integer> planes() {
        return PLANES.stream();
    }

    private static List<NodeSet> sets(VotingSets sets, int nodes) {
        var topology = Topology.complete(nodes);
        return topology.nodes().stream()
                .map(node -> sets.of(topology.neighbourhood(node)))
                .toList();
    }

    private static long load(List<NodeSet> sets, NodeId node) {
        return sets.stream().filter(set -> set.contains(node)).count();
    }

    private static void assertIntersecting(List<NodeSet> sets) {
        for (int i = 0; i < sets.size(); i++) {
            assertThat(sets.get(i).contains(n(i + 1))).isTrue();
            for (NodeSet other : sets) {
                assertThat(sets.get(i).intersection(other).isEmpty()).isFalse();
            }
        }
    }

    private static void assertUniform(List<NodeSet> sets, int size) {
        for (int i = 0; i < sets.size(); i++) {
            assertThat(sets.get(i).size()).isEqualTo(size);
            assertThat(load(sets, n(i + 1))).isEqualTo(size);
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void in_a_grid_each_node_is_in_its_own_set_and_any_two_sets_share_a_node(int nodes) {
        assertIntersecting(sets(new VotingSets.Grid(), nodes));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 9, 16, 25, 36, 49, 64, 81, 100, 121, 144, 169, 196})
    void in_a_square_grid_all_sets_have_the_same_size_and_all_nodes_the_same_load(int nodes) {
        assertUniform(sets(new VotingSets.Grid(), nodes), 2 * (int) Math.sqrt(nodes) - 1);
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void in_any_grid_no_set_is_larger_than_in_the_next_square_and_the_load_of_a_node_is_its_set_size(int nodes) {
        var sets = sets(new VotingSets.Grid(), nodes);
        int side = (int) Math.ceil(Math.sqrt(nodes));
        for (int i = 0; i < nodes; i++) {
            assertThat(sets.get(i).size()).isLessThanOrEqualTo(2 * side - 1);
            assertThat(load(sets, n(i + 1))).isEqualTo(sets.get(i).size());
        }
    }

    @Test
    void a_grid_that_is_no_square_has_a_shorter_last_row() {
        assertThat(sets(new VotingSets.Grid(), 5))
                .containsExactly(nodes(1, 2, 3, 4), nodes(1, 2, 3, 5), nodes(1, 2, 3), nodes(1, 4, 5), nodes(2, 4, 5));
    }

    @ParameterizedTest
    @MethodSource("planes")
    void in_a_plane_any_two_sets_share_exactly_one_node(int nodes) {
        var sets = sets(new VotingSets.PlaneLines(), nodes);
        assertIntersecting(sets);
        for (int i = 0; i < nodes; i++) {
            for (int j = 0; j < i; j++) {
                assertThat(sets.get(i).intersection(sets.get(j)).size()).isEqualTo(1);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("planes")
    void in_a_plane_all_sets_have_the_same_size_and_all_nodes_the_same_load(int nodes) {
        int order = nodes == 1 ? 0 : (int) Math.sqrt(nodes);
        assertThat(nodes).isEqualTo(order * order + order + 1);
        assertUniform(sets(new VotingSets.PlaneLines(), nodes), order + 1);
    }

    @Test
    void three_nodes_make_a_triangle_and_seven_the_plane_of_fano() {
        assertThat(sets(new VotingSets.PlaneLines(), 3)).containsExactly(nodes(1, 2), nodes(2, 3), nodes(3, 1));
        assertThat(sets(new VotingSets.PlaneLines(), 7)).startsWith(nodes(1, 2, 4), nodes(2, 3, 5));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void an_unknown_plane_is_rejected(int nodes) {
        if (!PLANES.contains(nodes)) {
            assertThatThrownBy(() -> sets(new VotingSets.PlaneLines(), nodes))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("no projective plane has " + nodes + " nodes");
        }
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void the_smallest_sets_are_a_plane_if_one_exists_and_else_a_grid(int nodes) {
        var construction = PLANES.contains(nodes) ? new VotingSets.PlaneLines() : new VotingSets.Grid();
        assertThat(sets(new VotingSets.Smallest(), nodes)).isEqualTo(sets(construction, nodes));
    }

    @Test
    void numbers_may_have_gaps() {
        var ring = Topology.ring(List.of(n(17), n(4), n(9)));
        assertThat(new VotingSets.PlaneLines().of(ring.neighbourhood(n(17)))).isEqualTo(nodes(17, 4));
    }

    @Test
    void listed_sets_are_used_as_they_are() {
        var sets = VotingSets.parse("1,2/2,3/3,1");
        assertThat(sets(sets, 3)).containsExactly(nodes(1, 2), nodes(2, 3), nodes(3, 1));
        assertThat(sets).hasToString("1,2/2,3/1,3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"smallest", "grid", "projective-plane", "1", "1,2/1,2"})
    void parse_reads_the_result_of_to_string(String text) {
        assertThat(VotingSets.parse(text)).hasToString(text);
    }

    @Test
    void listed_sets_without_a_common_node_are_rejected() {
        assertThatThrownBy(() -> VotingSets.parse("1,2/2,3/3/2,4")).hasMessage("{n1 n2} and {n3} share no node");
    }

    @Test
    void listed_sets_must_match_the_nodes() {
        assertThatThrownBy(() -> sets(VotingSets.parse("1,2/1,2"), 3))
                .hasMessage("the number of voting sets must be the number of nodes, 3, was 2");
        assertThatThrownBy(() -> sets(VotingSets.parse("1,2/1"), 2)).hasMessage("n2 is not in its own voting set {n1}");
        assertThatThrownBy(() -> sets(VotingSets.parse("1,2/2,3"), 2))
                .hasMessage("{n2 n3} contains a node that does not exist");
    }
}
