package habemus.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.measure.CostMeasurement;
import habemus.measure.CostMeasurement.Ratio;
import habemus.protocol.NodeId;
import habemus.simulate.Simulation;
import habemus.world.Topology;
import habemus.world.World;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every cost formula of the catalogue, compared with measurements. */
@Tag("slow")
class CostFormulaTest {

    private static final Set<CostFormula.Measure> UPPER_BOUNDS =
            Set.of(CostFormula.Measure.MESSAGES_ALL_CANDIDATES_BOUND, CostFormula.Measure.MESSAGES_NOT_FORWARDED_BOUND);

    private static final Set<CostFormula.Measure> BOUNDS = Set.of(
            CostFormula.Measure.MESSAGES_ALL_CANDIDATES_WORST, CostFormula.Measure.MESSAGES_ALL_CANDIDATES_BOUND);

    /** Every cost of every algorithm, for the numbers of nodes that can be measured quickly. */
    static Stream<Arguments> costs() {
        return Catalogue.ALL.stream()
                .flatMap(algorithm -> algorithm.costs().stream()
                        .flatMap(cost -> sizes(cost.measure())
                                .mapToObj(nodes ->
                                        Arguments.of(algorithm.name(), cost.measure(), cost.formula(), nodes))));
    }

    private static IntStream sizes(CostFormula.Measure measure) {
        return switch (measure) {
            case MESSAGES_PER_ENTRY,
                    MESSAGES_PER_ENTRY_BEST,
                    MESSAGES_PER_ENTRY_WORST,
                    MESSAGES_PER_ENTRY_BUSY,
                    CLIENT_DELAY,
                    HANDOVER_DELAY,
                    HEARTBEATS_PER_PERIOD -> IntStream.rangeClosed(2, 10);
            case MESSAGES_ONE_CANDIDATE_WORST -> IntStream.rangeClosed(2, 7);
            case MESSAGES_ALL_CANDIDATES_BEST,
                    MESSAGES_ALL_CANDIDATES_MEAN,
                    MESSAGES_ALL_CANDIDATES_WORST,
                    MESSAGES_ALL_CANDIDATES_BOUND,
                    MESSAGES_FIRST_ROUND_TRIP,
                    MESSAGES_NOT_FORWARDED_BOUND -> IntStream.rangeClosed(2, 8);
            case MESSAGES_SECOND_BEST_KNOWS, MESSAGES_LOWEST_STARTS -> IntStream.rangeClosed(3, 8);
            case MESSAGES_UNTIL_ALL_KNOW, MESSAGES_PER_HEARTBEAT, MESSAGES_PER_PROPOSAL -> IntStream.rangeClosed(2, 8);
            case MESSAGES_ON_COMPLETE_GRAPH, MESSAGES_ON_ORDERED_RING, MESSAGES_ON_ORDERED_LINE ->
                IntStream.rangeClosed(3, 10); // a ring of two nodes has only one edge
        };
    }

    @ParameterizedTest(name = "{0}: {1} = {2}, n = {3}")
    @MethodSource("costs")
    void the_measured_cost_equals_the_formula(String name, CostFormula.Measure measure, String formula, int nodes) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var cost = algorithm.costs().stream()
                .filter(candidate -> candidate.measure() == measure)
                .findFirst()
                .orElseThrow();
        double expected = cost.function().applyAsDouble(nodes);
        assertThat(new CostMeasurement(algorithm, nodes).measure(cost))
                .as("%s of %d nodes, %s", name, nodes, cost.label())
                .isNotEmpty()
                .allMatch(
                        ratio -> UPPER_BOUNDS.contains(measure) ? ratio.total() <= expected : ratio.isCloseTo(expected),
                        formula + " = " + expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8})
    void the_mean_of_chang_roberts_over_all_rings_is_exactly_n_harmonic_n_plus_n(int n) {
        long rings = factorial(n - 1);
        long harmonic = LongStream.rangeClosed(1, n).map(i -> factorial(n) / i).sum(); // n! H(n)
        assertThat(changRoberts(n).mean()).isEqualTo(new Ratio(harmonic + n * rings, rings));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 50})
    void one_candidate_of_chang_roberts_costs_most_right_after_the_largest(int n) {
        var unlucky = new NodeId(1);
        assertThat(changRoberts(n).messages(ascending(n), List.of(unlucky))).isEqualTo(3L * n - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 50})
    void all_candidates_of_chang_roberts_cost_least_if_each_meets_a_larger_one_next(int n) {
        assertThat(changRoberts(n).messages(ascending(n), ascending(n))).isEqualTo(3L * n - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 50})
    void all_candidates_of_chang_roberts_cost_most_if_each_meets_a_smaller_one_next(int n) {
        assertThat(changRoberts(n).messages(ascending(n).reversed(), ascending(n)))
                .isEqualTo(n * (n + 1L) / 2 + n);
    }

    /** With random message delays. */
    @ParameterizedTest
    @ValueSource(strings = {"chang-roberts", "franklin", "hirschberg-sinclair", "peterson"})
    void no_random_ring_costs_more_than_the_bound(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var most = algorithm.costs().stream()
                .filter(cost -> BOUNDS.contains(cost.measure()))
                .findFirst()
                .orElseThrow();
        for (int nodes : List.of(2, 3, 10, 31, 32, 33, 64, 100)) {
            for (long seed = 1; seed <= 10; seed++) {
                var world = World.of(Topology.shuffledRing(nodes, seed));
                var result = Simulation.of(algorithm.create(AlgorithmParameters.of(world)), world, seed)
                        .run();
                assertThat(result.hasFailed()).isFalse();
                assertThat((double) result.messages())
                        .isLessThanOrEqualTo(most.function().applyAsDouble(nodes));
            }
        }
    }

    private static CostMeasurement changRoberts(int nodes) {
        return new CostMeasurement(Catalogue.find("chang-roberts").orElseThrow(), nodes);
    }

    private static List<NodeId> ascending(int nodes) {
        return IntStream.rangeClosed(1, nodes).mapToObj(NodeId::new).toList();
    }

    private static long factorial(int n) {
        return LongStream.rangeClosed(2, n).reduce(1, (a, b) -> a * b);
    }
}
