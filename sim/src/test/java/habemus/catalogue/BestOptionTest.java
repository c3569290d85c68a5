package habemus.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.ModelChecker;
import habemus.protocol.NodeId;
import habemus.protocol.Ranking;
import habemus.simulate.Simulation;
import habemus.smallscope.SmallScopes;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import habemus.world.World;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every election that compares nodes can elect the lowest one. */
class BestOptionTest {

    private static final AlgorithmParameters LOWEST =
            AlgorithmParameters.defaults().withNodeCount(3).with(AlgorithmParameters.BEST, Ranking.Best.LOWEST);

    static Stream<String> elections() {
        return Catalogue.ALL.stream().filter(Algorithm::ranked).map(Algorithm::name);
    }

    private static Algorithm algorithm(String name) {
        return Catalogue.find(name).orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("elections")
    void in_a_simulated_run_the_lowest_node_leads(String name) {
        var ring = algorithm(name).shape() == Topology.Shape.RING;
        var world = World.of(ring ? Topology.ring(3) : Topology.complete(3)).withRanking(LOWEST.ranking());
        var result = Simulation.of(algorithm(name).create(LOWEST), world, 1).run();
        assertThat(result.announcements().getLast().leader()).isEqualTo(new NodeId(1));
        assertThat(result.verdicts()).containsEntry(Property.BEST_WINS, Verdict.HOLDS);
    }

    @ParameterizedTest
    @MethodSource("elections")
    void the_checker_proves_that_the_lowest_node_wins_and_not_the_highest(String name) {
        var algorithm = algorithm(name);
        var scope = SmallScopes.scope(algorithm, new SmallScopes.Size(3, 1)).synchronous();
        for (var best : List.of(Ranking.Best.LOWEST, Ranking.Best.HIGHEST)) {
            var report = ModelChecker.check(
                    algorithm.create(LOWEST), scope.withRanking(Ranking.BY_NUMBER.withBest(best)), Property.BEST_WINS);
            assertThat(report.findings().getFirst().verdict())
                    .isEqualTo(best == Ranking.Best.LOWEST ? Verdict.HOLDS : Verdict.VIOLATED);
        }
    }
}
