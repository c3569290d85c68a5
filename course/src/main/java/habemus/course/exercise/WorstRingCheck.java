package habemus.course.exercise;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.CostFormula;
import habemus.lab.source.SourceFile;
import habemus.measure.CostMeasurement;
import habemus.protocol.NodeId;
import habemus.world.LatencyModel;
import habemus.world.Topology;
import habemus.world.World;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Compares the student's ring with all rings of a few nodes, and with the formula for more. */
final class WorstRingCheck implements ExerciseCheck {

    private static final int MAX_ALL_RINGS = 6;
    private static final List<Integer> LARGE = List.of(7, 12, 20);
    private static final Algorithm CHANG_ROBERTS =
            Catalogue.find("chang-roberts").orElseThrow();

    @Override
    public List<CriterionResult> check(SourceFile file, ThreadLaboratory laboratory) {
        var answer = StudentClass.load(file, RingArrangement.class);
        return List.of(small(answer), large(answer), formula(answer));
    }

    private static CriterionResult small(RingArrangement answer) {
        for (int nodes = 3; nodes <= MAX_ALL_RINGS; nodes++) {
            var wrong = compareWithAll(answer, nodes);
            if (wrong.isPresent()) {
                return CriterionResult.failed("small", wrong.get());
            }
        }
        return CriterionResult.passed("small", "no ring of 3 to " + MAX_ALL_RINGS + " nodes costs more");
    }

    private static Optional<FailingRun> compareWithAll(RingArrangement answer, int nodes) {
        var measurement = new CostMeasurement(CHANG_ROBERTS, nodes);
        var ring = ring(answer, nodes);
        long cost = measurement.messages(ring, ring);
        return CostMeasurement.rings(nodes).stream()
                .filter(other -> measurement.messages(other, other) > cost)
                .findFirst()
                .map(other -> moreExpensive(ring, cost, other, measurement.messages(other, other)));
    }

    private static FailingRun moreExpensive(List<NodeId> ring, long cost, List<NodeId> other, long more) {
        var reason = "the ring " + numbers(ring) + " costs " + cost + " messages, the ring " + numbers(other)
                + " costs " + more;
        var world = World.of(Topology.ring(other)).withLatency(new LatencyModel.Fixed(CostMeasurement.MESSAGE_DELAY));
        var replay = "./habemus run chang-roberts --topology ring:" + numbers(other) + " --latency 1";
        var run = new ElectionTrials(CHANG_ROBERTS).expensive(world, 1, reason);
        return new FailingRun(reason, run.run(), replay);
    }

    private static CriterionResult large(RingArrangement answer) {
        for (int nodes : LARGE) {
            var ring = ring(answer, nodes);
            long cost = new CostMeasurement(CHANG_ROBERTS, nodes).messages(ring, ring);
            if (cost != worst(nodes)) {
                return CriterionResult.failed(
                        "large",
                        "with " + nodes + " nodes the ring " + numbers(ring) + " costs " + cost
                                + " messages, the worst one " + worst(nodes));
            }
        }
        return CriterionResult.passed("large", "also the worst ring of " + LARGE + " nodes");
    }

    private static CriterionResult formula(RingArrangement answer) {
        for (int nodes = 2; nodes <= LARGE.getLast(); nodes++) {
            if (answer.messages(nodes) != worst(nodes)) {
                return CriterionResult.failed(
                        "formula",
                        "messages(" + nodes + ") is " + answer.messages(nodes) + ", the worst ring costs "
                                + worst(nodes));
            }
        }
        return CriterionResult.passed("formula", "messages(n) is right for 2 to " + LARGE.getLast() + " nodes");
    }

    /** The theoretical cost, which another test compares with simulations. */
    private static long worst(int nodes) {
        return CHANG_ROBERTS.costs().stream()
                .filter(cost -> cost.measure() == CostFormula.Measure.MESSAGES_ALL_CANDIDATES_WORST)
                .mapToLong(cost -> Math.round(cost.function().applyAsDouble(nodes)))
                .findFirst()
                .orElseThrow();
    }

    private static List<NodeId> ring(RingArrangement answer, int nodes) {
        var ring = answer.worstRing(nodes);
        var all = IntStream.rangeClosed(1, nodes).boxed().toList();
        if (ring == null || !ring.stream().sorted().toList().equals(all)) {
            throw StudentClass.invalid(
                    "worstRing(" + nodes + ") must hold each number from 1 to " + nodes + " once, was " + ring,
                    "return a list such as List.of(1, 2, 3)");
        }
        return ring.stream().map(NodeId::new).toList();
    }

    private static String numbers(List<NodeId> ring) {
        return ring.stream().map(node -> Integer.toString(node.number())).collect(Collectors.joining(","));
    }
}
