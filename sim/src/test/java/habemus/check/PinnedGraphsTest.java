package habemus.check;

import static habemus.GraphEnumeration.path;
import static habemus.ProtocolFixture.nodes;
import static habemus.check.StateCounts.assertSize;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.GraphEnumeration;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.election.YoYo;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pins the state counts of elections on graphs, and checks every graph of up to five nodes. */
@Tag("slow")
class PinnedGraphsTest {

    private static final YoYo YO_YO = new YoYo(Ranking.BY_NUMBER, false);

    /** Every node may start an election twice, with every order of messages. */
    @ParameterizedTest
    @CsvSource({"1, 1, 3", "2, 1, 142", "3, 4, 33550"})
    void yo_yo_twice_on_every_graph_of_up_to_three_nodes(int size, int graphs, long states) {
        assertAllHold(
                GraphEnumeration.of(size).stream()
                        .map(Scope::of)
                        .map(scope -> scope.withRequestsPerNode(2))
                        .toList(),
                graphs,
                states);
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 33", "3, 4, 20927"})
    void yo_yo_on_every_graph_where_messages_overtake_each_other(int size, int graphs, long states) {
        assertAllHold(
                GraphEnumeration.of(size).stream()
                        .map(Scope::of)
                        .map(Scope::withUnorderedLinks)
                        .toList(),
                graphs,
                states);
    }

    /** In this graph n5 gets both Yes and No from below. On every graph of four nodes the rule makes no difference. */
    @Test
    void if_any_yes_is_enough_then_yo_yo_is_still_correct() {
        var disputed = Topology.graph(
                nodes(2, 3, 4, 5, 7, 9).toList(), List.of(edge(7, 5), edge(5, 2), edge(3, 2), edge(5, 4), edge(9, 4)));
        var scope = Scope.of(disputed).withRequests(nodes(7), 1);
        var allYes = ModelChecker.check(YO_YO, scope);
        var anyYes = ModelChecker.check(new YoYo(Ranking.BY_NUMBER, true), scope);
        assertSize(allYes, 424, 1_202);
        assertSize(anyYes, 424, 1_196);
        assertThat(List.of(allYes, anyYes)).allMatch(CheckReport::isComplete).noneMatch(CheckReport::hasViolation);
    }

    /** With order reduction. */
    @Test
    void yo_yo_on_every_graph_of_four_nodes() {
        var reduced = CheckOptions.defaults().withOrderReduction();
        var scopes = GraphEnumeration.of(4).stream().map(Scope::of).map(scope -> scope.withOptions(reduced));
        assertAllHold(scopes.toList(), 38, 48_787);
    }

    /** One node starts the election, a different one from graph to graph. */
    @Test
    void yo_yo_on_every_graph_of_five_nodes() {
        var reduced = CheckOptions.defaults().withOrderReduction();
        var graphs = GraphEnumeration.of(5);
        var scopes = IntStream.range(0, graphs.size())
                .mapToObj(i -> Scope.of(graphs.get(i))
                        .withRequests(nodes(1 + i % 5), 1)
                        .withOptions(reduced));
        assertAllHold(scopes.toList(), 728, 83_138);
    }

    /** Any set of nodes starts. Takes minutes, so it only runs in a campaign. */
    @Test
    @EnabledIfSystemProperty(named = "habemus.campaign", matches = "true")
    void yo_yo_on_every_graph_of_five_nodes_with_any_initiators() {
        var reduced = CheckOptions.defaults().withOrderReduction();
        var scopes = GraphEnumeration.of(5).stream().map(Scope::of).map(scope -> scope.withOptions(reduced));
        assertAllHold(scopes.toList(), 728, 9_891_444);
    }

    private static void assertAllHold(List<Scope> scopes, int graphs, long states) {
        assertThat(scopes).hasSize(graphs);
        var checkReports = scopes.parallelStream()
                .map(scope -> ModelChecker.check(YO_YO, scope))
                .toList();
        assertThat(checkReports).allMatch(CheckReport::isComplete).noneMatch(CheckReport::hasViolation);
        assertThat(checkReports.stream().mapToLong(CheckReport::states).sum()).isEqualTo(states);
    }

    @Test
    void yo_yo_in_a_small_scope() {
        assertSize(ModelChecker.check(YO_YO, Scope.of(path(2, 1, 3))), 409, 975);
        assertSize(ModelChecker.check(YO_YO, Scope.of(Topology.complete(3))), 2_454, 8_494);
        assertSize(ModelChecker.check(YO_YO, Scope.of(Topology.ring(3))), 2_454, 8_494);
        assertSize(ModelChecker.check(YO_YO, Scope.of(Topology.complete(3)).withUnorderedLinks()), 19_519, 94_614);
    }

    @Test
    void yo_yo_in_a_larger_scope() {
        assertSize(ModelChecker.check(YO_YO, Scope.of(Topology.complete(4)).withRequests(nodes(1), 1)), 4_417, 21_494);
        assertSize(ModelChecker.check(YO_YO, Scope.of(path(3, 1, 5, 2, 4)).withRequests(nodes(1, 2), 1)), 1_489, 4_596);
    }

    @Test
    void after_a_loss_no_wrong_node_leads() {
        var report = ModelChecker.check(YO_YO, Scope.of(path(2, 1, 3)).withFault(FaultKind.LOSS, 1));
        assertSize(report, 1_148, 2_920);
        assertThat(report.verdict(Property.TERMINATION)).isEqualTo(Verdict.VIOLATED);
        assertThat(report.verdict(Property.UNIQUENESS)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(Property.BEST_WINS)).isEqualTo(Verdict.HOLDS);
    }

    /** The reason why unconnected graphs are rejected. */
    @Test
    void an_unconnected_graph_has_two_leaders() {
        var parts = Topology.graph(nodes(1, 2).toList(), List.of());
        assertThat(ModelChecker.check(YO_YO, Scope.of(parts)).verdict(Property.UNIQUENESS))
                .isEqualTo(Verdict.VIOLATED);
    }

    private static Topology.Edge edge(int from, int to) {
        return new Topology.Edge(new NodeId(from), new NodeId(to));
    }
}
