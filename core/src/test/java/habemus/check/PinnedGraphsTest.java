package habemus.check;

import static habemus.AllGraphs.path;
import static habemus.Given.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.AllGraphs;
import habemus.election.YoYo;
import habemus.protocol.Ranking;
import habemus.world.Hazard;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How large small worlds on graphs are, and that nothing goes wrong on any graph of up to five nodes. */
class PinnedGraphsTest {

    private static final YoYo YO_YO = new YoYo(Ranking.BY_NUMBER);

    /** Whoever wants to may begin, and begin again, in every order of all messages. */
    @ParameterizedTest
    @CsvSource({"1, 1, 3", "2, 1, 142", "3, 4, 33550"})
    void yo_yo_twice_on_every_graph_of_up_to_three_nodes(int size, int graphs, long states) {
        assertAllHold(
                AllGraphs.of(size).stream()
                        .map(Scope::of)
                        .map(scope -> scope.entering(2))
                        .toList(),
                graphs,
                states);
    }

    @ParameterizedTest
    @CsvSource({"2, 1, 33", "3, 4, 20927"})
    void yo_yo_on_every_graph_where_messages_overtake_each_other(int size, int graphs, long states) {
        assertAllHold(
                AllGraphs.of(size).stream().map(Scope::of).map(Scope::unordered).toList(), graphs, states);
    }

    /** Of several orders that commute one is looked at. */
    @Test
    void yo_yo_on_every_graph_of_four_nodes() {
        var reduced = Effort.ample().reducingOrder();
        var scopes = AllGraphs.of(4).stream().map(Scope::of).map(scope -> scope.spending(reduced));
        assertAllHold(scopes.toList(), 38, 48_787);
    }

    /** One node begins, each in turn from one graph to the next. */
    @Test
    void yo_yo_on_every_graph_of_five_nodes() {
        var reduced = Effort.ample().reducingOrder();
        var graphs = AllGraphs.of(5);
        var scopes = IntStream.range(0, graphs.size())
                .mapToObj(i ->
                        Scope.of(graphs.get(i)).calling(nodes(1 + i % 5), 1).spending(reduced));
        assertAllHold(scopes.toList(), 728, 83_138);
    }

    /** As many begin as like to. This is a campaign, not a test: it takes some minutes. */
    @Test
    @EnabledIfSystemProperty(named = "habemus.campaign", matches = "true")
    void yo_yo_on_every_graph_of_five_nodes_whoever_begins() {
        var reduced = Effort.ample().reducingOrder();
        var scopes = AllGraphs.of(5).stream().map(Scope::of).map(scope -> scope.spending(reduced));
        assertAllHold(scopes.toList(), 728, 9_891_444);
    }

    private static void assertAllHold(List<Scope> scopes, int graphs, long states) {
        assertThat(scopes).hasSize(graphs);
        var reports = scopes.parallelStream()
                .map(scope -> Checker.check(YO_YO, scope))
                .toList();
        assertThat(reports).allMatch(Report::complete).noneMatch(Report::failed);
        assertThat(reports.stream().mapToLong(Report::states).sum()).isEqualTo(states);
    }

    @Test
    void yo_yo_in_a_small_world() {
        assertSize(Checker.check(YO_YO, Scope.of(path(2, 1, 3))), 409, 975);
        assertSize(Checker.check(YO_YO, Scope.of(Topology.complete(3))), 2_454, 8_494);
        assertSize(Checker.check(YO_YO, Scope.of(Topology.ring(3))), 2_454, 8_494);
        assertSize(Checker.check(YO_YO, Scope.of(Topology.complete(3)).unordered()), 19_519, 94_614);
    }

    @Test
    void yo_yo_in_a_larger_world() {
        assertSize(Checker.check(YO_YO, Scope.of(Topology.complete(4)).calling(nodes(1), 1)), 4_417, 21_494);
        assertSize(Checker.check(YO_YO, Scope.of(path(3, 1, 5, 2, 4)).calling(nodes(1, 2), 1)), 1_489, 4_596);
    }

    @Test
    void after_a_loss_nobody_leads_who_should_not() {
        var report = Checker.check(YO_YO, Scope.of(path(2, 1, 3)).allowing(Hazard.LOSS, 1));
        assertSize(report, 1_148, 2_920);
        assertThat(report.verdict(Property.TERMINATION)).isEqualTo(Verdict.VIOLATED);
        assertThat(report.verdict(Property.UNIQUENESS)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(Property.BEST_WINS)).isEqualTo(Verdict.HOLDS);
    }

    /** What the refusal of graphs that fall apart is for. */
    @Test
    void a_graph_of_two_parts_has_two_leaders() {
        var parts = Topology.graph(nodes(1, 2).toList(), List.of());
        assertThat(Checker.check(YO_YO, Scope.of(parts)).verdict(Property.UNIQUENESS))
                .isEqualTo(Verdict.VIOLATED);
    }

    private static void assertSize(Report report, long states, long transitions) {
        assertThat(report.complete()).isTrue();
        assertThat(List.of(report.states(), report.transitions())).containsExactly(states, transitions);
    }
}
