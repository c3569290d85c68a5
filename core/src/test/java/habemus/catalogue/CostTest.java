package habemus.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.measure.Measurements;
import habemus.measure.Measurements.Share;
import habemus.protocol.NodeId;
import habemus.simulate.Simulation;
import habemus.world.Topology;
import habemus.world.World;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every formula of the catalogue, measured. */
class CostTest {

    private static final Set<Cost.Measure> BOUNDS =
            Set.of(Cost.Measure.MESSAGES_ALL_CANDIDATES_WORST, Cost.Measure.MESSAGES_ALL_CANDIDATES_BOUND);

    /** Every cost of every algorithm, for as many nodes as can be measured in no time. */
    static Stream<Arguments> costs() {
        return Catalogue.ALL.stream()
                .flatMap(algorithm -> algorithm.costs().stream()
                        .flatMap(cost -> sizes(cost.measure())
                                .mapToObj(nodes ->
                                        Arguments.of(algorithm.name(), cost.measure(), cost.formula(), nodes))));
    }

    private static IntStream sizes(Cost.Measure measure) {
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
                    MESSAGES_ALL_CANDIDATES_BOUND -> IntStream.rangeClosed(2, 8);
            case MESSAGES_SECOND_BEST_KNOWS, MESSAGES_LOWEST_STARTS -> IntStream.rangeClosed(3, 8);
            case MESSAGES_UNTIL_ALL_KNOW, MESSAGES_A_BEAT -> IntStream.rangeClosed(2, 8);
            case MESSAGES_ON_COMPLETE_GRAPH, MESSAGES_ON_ORDERED_RING, MESSAGES_ON_ORDERED_LINE ->
                IntStream.rangeClosed(3, 10); // a ring of two has one edge, not two
        };
    }

    @ParameterizedTest(name = "{0}: {1} = {2}, n = {3}")
    @MethodSource("costs")
    void costs_what_theory_says(String name, Cost.Measure measure, String formula, int nodes) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var cost = algorithm.costs().stream()
                .filter(one -> one.measure() == measure)
                .findFirst()
                .orElseThrow();
        double expected = cost.of().applyAsDouble(nodes);
        assertThat(new Measurements(algorithm, nodes).of(measure))
                .as("%s of %d nodes, %s", name, nodes, measure.words())
                .isNotEmpty()
                .allMatch(
                        share -> measure == Cost.Measure.MESSAGES_ALL_CANDIDATES_BOUND
                                ? share.all() <= expected
                                : share.is(expected),
                        formula + " = " + expected);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8})
    void the_mean_of_chang_roberts_over_all_rings_is_exactly_n_harmonic_n_plus_n(int n) {
        long rings = factorial(n - 1);
        long harmonic = LongStream.rangeClosed(1, n).map(i -> factorial(n) / i).sum(); // n! H(n)
        assertThat(changRoberts(n).mean()).isEqualTo(new Share(harmonic + n * rings, rings));
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

    /** However long messages take. */
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
                var outcome = Simulation.of(algorithm.make(Setting.of(world)), world, seed)
                        .run();
                assertThat(outcome.failed()).isFalse();
                assertThat((double) outcome.messages())
                        .isLessThanOrEqualTo(most.of().applyAsDouble(nodes));
            }
        }
    }

    private static Measurements changRoberts(int nodes) {
        return new Measurements(Catalogue.find("chang-roberts").orElseThrow(), nodes);
    }

    private static List<NodeId> ascending(int nodes) {
        return IntStream.rangeClosed(1, nodes).mapToObj(NodeId::new).toList();
    }

    private static long factorial(int n) {
        return LongStream.rangeClosed(2, n).reduce(1, (a, b) -> a * b);
    }
}
