package habemus.course.exercise;

import static habemus.catalogue.CostFormula.Measure.MESSAGES_LOWEST_STARTS;
import static habemus.world.Property.AGREEMENT;
import static habemus.world.Property.BEST_WINS;
import static habemus.world.Property.TERMINATION;
import static habemus.world.Property.UNIQUENESS;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.check.model.Scope;
import habemus.lab.source.SourceFile;
import habemus.measure.CostMeasurement;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** A bully algorithm that needs fewer messages, and still elects one leader if a node crashes. */
final class BetterBullyCheck implements ExerciseCheck {

    private static final Property[] REQUIRED = {UNIQUENESS, TERMINATION, AGREEMENT, BEST_WINS};
    private static final int NODES = 5;
    private static final int SEEDS = 5;
    private static final List<Integer> CRASH_MILLIS = List.of(0, 1, 3, 7, 50, 102, 106, 300);

    @Override
    public List<CriterionResult> check(SourceFile file, ThreadLaboratory laboratory) {
        var algorithm = ElectionTrials.load(file);
        var trials = new ElectionTrials(algorithm);
        var safe = CriterionResult.of("safe", safe(trials), "every run of 3 nodes with a crash at any time");
        return List.of(
                safe,
                CriterionResult.of("larger", larger(trials), "5 nodes, a crash of each at 8 times, 5 seeds each"),
                fewer(algorithm).onlyIf(safe),
                linear(algorithm).onlyIf(safe));
    }

    private static Optional<FailingRun> safe(ElectionTrials trials) {
        var scope = Scope.of(Topology.complete(3))
                .withRequests(NodeSet.of(ElectionTrials.nodes(3)), 1)
                .withFault(FaultKind.CRASH, 1)
                .synchronous();
        return trials.check(scope, REQUIRED);
    }

    /** Two initiators at once, and the crash of a node before, during or after the election. */
    private static Optional<FailingRun> larger(ElectionTrials trials) {
        return CRASH_MILLIS.stream()
                .flatMap(millis -> ElectionTrials.nodes(NODES).stream().map(node -> world(node, millis)))
                .map(world -> trials.simulate(world, SEEDS, REQUIRED))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private static World world(NodeId crashed, int millis) {
        var initiators = ElectionTrials.nodes(NODES).stream()
                .filter(node -> !node.equals(crashed))
                .limit(2)
                .toList();
        return World.of(Topology.complete(NODES))
                .withWorkload(Workload.once(initiators))
                .withDetector(new DetectorModel.Oracle(Duration.ofMillis(50)))
                .withFaults(List.of(new Fault.PlannedFault(Duration.ofMillis(millis), new Fault.Crash(crashed))));
    }

    private static CriterionResult fewer(Algorithm algorithm) {
        var bully = Catalogue.find("bully").orElseThrow();
        for (int nodes = 4; nodes <= 8; nodes++) {
            double mine = messages(algorithm, nodes);
            double theirs = messages(bully, nodes);
            if (mine >= theirs) {
                return CriterionResult.failed(
                        "fewer",
                        "%d nodes, the best one down, n1 starts: %.0f messages, Bully needs %.0f"
                                .formatted(nodes, mine, theirs));
            }
        }
        return CriterionResult.passed(
                "fewer",
                "8 nodes, the best one down, n1 starts: %.0f messages, Bully needs %.0f"
                        .formatted(messages(algorithm, 8), messages(bully, 8)));
    }

    private static CriterionResult linear(Algorithm algorithm) {
        var tooMany = IntStream.of(8, 16, 24)
                .filter(nodes -> messages(algorithm, nodes) > 4.0 * nodes)
                .findFirst();
        return tooMany.isPresent()
                ? CriterionResult.failed(
                        "linear",
                        "%d nodes: %.0f messages, more than 4n"
                                .formatted(tooMany.getAsInt(), messages(algorithm, tooMany.getAsInt())))
                : CriterionResult.passed("linear", "at most 4n messages for 8, 16 and 24 nodes");
    }

    private static double messages(Algorithm algorithm, int nodes) {
        return new CostMeasurement(algorithm, nodes)
                .measure(MESSAGES_LOWEST_STARTS)
                .getFirst()
                .value();
    }
}
