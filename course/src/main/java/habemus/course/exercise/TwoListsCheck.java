package habemus.course.exercise;

import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.BEST_WINS;
import static habemus.world.Property.TERMINATION;
import static habemus.world.Property.UNIQUENESS;

import habemus.check.model.Scope;
import habemus.lab.source.SourceFile;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Workload;
import habemus.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Of two lists that circulate at the same time, only one returns. */
final class TwoListsCheck implements ExerciseCheck {

    private static final Property[] REQUIRED = {AGREEMENT, TERMINATION, UNIQUENESS, BEST_WINS};
    private static final int SEEDS = 10;
    private static final int MAX_NODES = 7;

    @Override
    public List<CriterionResult> check(SourceFile file, ThreadLaboratory laboratory) {
        var trials = new ElectionTrials(ElectionTrials.load(file));
        var safe = CriterionResult.of("safe", safe(trials), "every run of 3 and 4 nodes, every set of candidates");
        var oneList = "at most 3n-1 messages for each two candidates of 4 to 7 nodes";
        return List.of(
                safe,
                CriterionResult.of("one-list", oneList(trials), oneList).onlyIf(safe),
                CriterionResult.of("one-candidate", oneCandidate(trials), "2n messages for one candidate")
                        .onlyIf(safe),
                CriterionResult.of("reorder", reorder(trials), "every run of 3 nodes with reordered messages"));
    }

    private static Optional<FailingRun> safe(ElectionTrials trials) {
        return IntStream.rangeClosed(3, 4)
                .boxed()
                .flatMap(nodes -> ElectionTrials.candidateSets(nodes).stream()
                        .map(candidates -> trials.check(scope(nodes, candidates), REQUIRED)))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static Scope scope(int nodes, NodeSet candidates) {
        return Scope.of(Topology.ring(nodes)).withRequests(candidates, 1);
    }

    /** One list makes n messages, the other at most n-1, and the result n. */
    private static Optional<FailingRun> oneList(ElectionTrials trials) {
        for (int nodes = 4; nodes <= MAX_NODES; nodes++) {
            for (List<NodeId> pair : pairs(nodes)) {
                var wrong = limit(trials, nodes, pair, 3 * nodes - 1, "3n-1: both lists returned");
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<FailingRun> oneCandidate(ElectionTrials trials) {
        for (int nodes = 3; nodes <= MAX_NODES; nodes++) {
            for (NodeId candidate : ElectionTrials.nodes(nodes)) {
                var wrong = limit(trials, nodes, List.of(candidate), 2 * nodes, "2n");
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<FailingRun> limit(
            ElectionTrials trials, int nodes, List<NodeId> candidates, int most, String rule) {
        var world = world(nodes, candidates);
        for (int seed = 1; seed <= SEEDS; seed++) {
            var result = trials.simulate(world, seed, new ArrayList<>());
            if (result.messages() > most) {
                var reason = "candidates " + candidates + " of " + nodes + " nodes: " + result.messages()
                        + " messages, more than " + most + " = " + rule;
                return Optional.of(trials.expensive(world, seed, reason));
            }
        }
        return Optional.empty();
    }

    private static Optional<FailingRun> reorder(ElectionTrials trials) {
        return trials.check(scope(3, NodeSet.of(ElectionTrials.nodes(3))).withUnorderedLinks(), REQUIRED);
    }

    static World world(int nodes, List<NodeId> candidates) {
        return World.of(Topology.ring(nodes)).withWorkload(Workload.once(candidates));
    }

    static List<List<NodeId>> pairs(int nodes) {
        var pairs = new ArrayList<List<NodeId>>();
        for (int first = 1; first <= nodes; first++) {
            for (int second = first + 1; second <= nodes; second++) {
                pairs.add(List.of(new NodeId(first), new NodeId(second)));
            }
        }
        return pairs;
    }
}
