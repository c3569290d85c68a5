package habemus.catalogue;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.election.CollectingRing;
import habemus.protocol.Ranking;
import habemus.simulate.Simulation;
import habemus.world.Topology;
import habemus.world.Workload;
import habemus.world.World;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The costs of the collecting ring with its options and for many nodes. */
class CollectingRingCostTest {

    private static long messages(boolean suppress, int nodes, int candidates) {
        var topology = Topology.complete(nodes);
        var workload = Workload.once(topology.nodes().subList(0, candidates));
        var world = World.of(topology).withWorkload(workload);
        return Simulation.of(new CollectingRing(Ranking.BY_NUMBER, suppress), world, 1)
                .run()
                .messages();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5, 8, 20})
    void without_suppression_all_candidates_cost_2_n_squared(int n) {
        assertThat(messages(false, n, n)).isEqualTo(2L * n * n);
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 20_000})
    void one_candidate_costs_2n_among_many_nodes(int n) {
        assertThat(messages(true, n, 1)).isEqualTo(2L * n);
    }
}
