package habemus.course.exercise;

import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.TERMINATION;
import static habemus.world.Property.UNIQUENESS;

import habemus.check.model.Scope;
import habemus.lab.source.SourceFile;
import habemus.measure.CostMeasurement;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.World;
import java.util.List;
import java.util.Optional;

/** After a ring election every node must know the leader. */
final class LearnLeaderCheck implements ExerciseCheck {

    private static final Property[] REQUIRED = {AGREEMENT, TERMINATION, UNIQUENESS};
    private static final int SEEDS = 20;
    private static final int MAX_NODES = 8;

    @Override
    public List<CriterionResult> check(SourceFile file, ThreadLaboratory laboratory) {
        var trials = new ElectionTrials(ElectionTrials.load(file));
        var small = CriterionResult.of("small", small(trials), "every run of 2 and 3 nodes, every set of candidates");
        return List.of(
                small,
                CriterionResult.of("orders", orders(trials), "every ring of 4 nodes, " + SEEDS + " seeds each"),
                CriterionResult.of("reorder", reorder(trials), "every run of 3 nodes with reordered messages"),
                CriterionResult.of("cost", cost(trials), "at most 3n-1 messages for one candidate")
                        .onlyIf(small));
    }

    private static Optional<FailingRun> small(ElectionTrials trials) {
        return List.of(2, 3).stream()
                .flatMap(nodes -> ElectionTrials.candidateSets(nodes).stream()
                        .map(candidates -> trials.check(scope(nodes, candidates), REQUIRED)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Scope scope(int nodes, NodeSet candidates) {
        return Scope.of(Topology.ring(nodes)).withRequests(candidates, 1);
    }

    private static Optional<FailingRun> orders(ElectionTrials trials) {
        return CostMeasurement.rings(4).stream()
                .map(ring -> trials.simulate(World.of(Topology.ring(ring)), SEEDS, REQUIRED))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Optional<FailingRun> reorder(ElectionTrials trials) {
        var all = NodeSet.of(ElectionTrials.nodes(3));
        return trials.check(scope(3, all).withUnorderedLinks(), REQUIRED);
    }

    private static Optional<FailingRun> cost(ElectionTrials trials) {
        for (int nodes = 3; nodes <= MAX_NODES; nodes++) {
            var measurement = new CostMeasurement(trials.algorithm(), nodes);
            var ring = ElectionTrials.nodes(nodes);
            for (NodeId candidate : ring) {
                long messages = measurement.messages(ring, List.of(candidate));
                if (messages > 3L * nodes - 1) {
                    var reason = "candidate " + candidate + " of " + nodes + " nodes: " + messages
                            + " messages, more than 3n-1 = " + (3 * nodes - 1);
                    return Optional.of(trials.expensive(TwoListsCheck.world(nodes, List.of(candidate)), 1, reason));
                }
            }
        }
        return Optional.empty();
    }
}
