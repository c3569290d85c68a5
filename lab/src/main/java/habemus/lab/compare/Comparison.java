package habemus.lab.compare;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.catalogue.CostFormula;
import habemus.measure.CostMeasurement;
import habemus.protocol.NodeId;
import habemus.simulate.RunLimits;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.world.LatencyModel;
import habemus.world.Micros;
import habemus.world.Problem;
import habemus.world.Topology;
import habemus.world.Workload;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Measures the costs of all algorithms of a problem under the same workloads. */
public final class Comparison {

    private static final double UNIT_MICROS = Micros.of(CostMeasurement.MESSAGE_DELAY);
    private static final int ENTRIES_PER_NODE = 4; // where all nodes compete
    private static final int MAX_SOLO_RUNS = 12; // each with one requesting node
    private static final int RING_SAMPLES = 10;
    private static final Duration ELECTION_TIME_LIMIT =
            CostMeasurement.MESSAGE_DELAY.multipliedBy(5_000); // heartbeats never end

    /** The result and the costs of a run. */
    private record Run(RunResult runResult, TraceCostMeter traceCostMeter) {

        /** If heartbeats or a token never end, only messages before the last entry or announcement count. */
        long messages() {
            return isEndless() ? traceCostMeter.messagesUntilLastResult() : traceCostMeter.messages();
        }

        boolean isEndless() {
            return runResult.end() != RunResult.End.REST;
        }
    }

    private final Algorithm algorithm;
    private final int nodes;

    private Comparison(Algorithm algorithm, int nodes) {
        this.algorithm = algorithm;
        this.nodes = nodes;
    }

    /** The algorithms that are compared: all but the broken ones and the client-server ones. */
    public static List<Algorithm> algorithms(Problem problem) {
        return Catalogue.ALL.stream()
                .filter(candidate -> candidate.problem() == problem && !candidate.broken() && !candidate.isService())
                .toList();
    }

    /** @param progress receives the name of each measurement before it starts */
    public static List<ComparisonRow> of(Problem problem, List<Integer> sizes, Consumer<String> progress) {
        var rows = new ArrayList<ComparisonRow>();
        for (int nodes : sizes) {
            for (Algorithm algorithm : algorithms(problem)) {
                progress.accept(algorithm.name() + ", " + nodes + " nodes");
                var comparison = new Comparison(algorithm, nodes);
                rows.add(problem == Problem.MUTEX ? comparison.mutex() : comparison.election());
            }
        }
        return List.copyOf(rows);
    }

    private ComparisonRow mutex() {
        var alone = soloNodes().stream()
                .map(node -> run(topology(1), Workload.once(List.of(node))))
                .toList();
        var crowd = Workload.once(topology(1).nodes());
        var busy = run(topology(1), crowd.withEntries(ENTRIES_PER_NODE));
        return new ComparisonRow(
                algorithm,
                nodes,
                mean(alone),
                busy.runResult.entries() == (long) ENTRIES_PER_NODE * nodes
                        ? Optional.of(new SampleMean((double) busy.messages() / busy.runResult.entries(), 0))
                        : Optional.empty(),
                measured(CostFormula.Measure.CLIENT_DELAY),
                OptionalDouble.of(measured(CostFormula.Measure.HANDOVER_DELAY)),
                OptionalInt.empty(),
                busy.traceCostMeter.largestMessage(),
                busy.traceCostMeter.busiestNodeShare(),
                costComparisons());
    }

    private double measured(CostFormula.Measure measure) {
        return measurements().measure(measure).getFirst().value();
    }

    private ComparisonRow election() {
        var alone = soloNodes().stream()
                .map(node -> run(topology(node.number()), Workload.once(List.of(node))))
                .toList();
        var all = IntStream.rangeClosed(1, RING_SAMPLES)
                .mapToObj(
                        seed -> run(topology(seed), Workload.once(topology(seed).nodes())))
                .toList();
        return new ComparisonRow(
                algorithm,
                nodes,
                mean(alone),
                Optional.of(SampleMean.of(all.stream().mapToLong(Run::messages).toArray())),
                all.stream()
                        .mapToDouble(run -> run.traceCostMeter.lastResultMicros() / UNIT_MICROS)
                        .average()
                        .orElseThrow(),
                OptionalDouble.empty(),
                all.stream().mapToInt(run -> run.traceCostMeter.rounds()).max(),
                all.stream()
                        .mapToInt(run -> run.traceCostMeter.largestMessage())
                        .max()
                        .orElseThrow(),
                all.stream()
                        .mapToDouble(run -> run.traceCostMeter.busiestNodeShare())
                        .average()
                        .orElseThrow(),
                costComparisons());
    }

    /** Empty if a token circulates forever: its messages belong to no single request. */
    private OptionalDouble mean(List<Run> runs) {
        return algorithm.problem() == Problem.MUTEX && runs.stream().anyMatch(Run::isEndless)
                ? OptionalDouble.empty()
                : runs.stream().mapToLong(Run::messages).average();
    }

    private CostMeasurement measurements() {
        return new CostMeasurement(algorithm, nodes);
    }

    private List<CostComparison> costComparisons() {
        var measurement = measurements();
        return algorithm.costs().stream()
                .map(cost -> CostComparison.of(cost, measurement))
                .toList();
    }

    /** The nodes that request alone, evenly spread. */
    private List<NodeId> soloNodes() {
        int count = Math.min(nodes, MAX_SOLO_RUNS);
        return IntStream.range(0, count)
                .mapToObj(i -> new NodeId(1 + (int) ((long) i * nodes / count)))
                .toList();
    }

    private Topology topology(long seed) {
        return algorithm.shape() == Topology.Shape.RING ? Topology.shuffledRing(nodes, seed) : Topology.complete(nodes);
    }

    private Run run(Topology topology, Workload workload) {
        var world = World.of(topology)
                .withLatency(new LatencyModel.Fixed(CostMeasurement.MESSAGE_DELAY))
                .withWorkload(workload);
        var traceCostMeter = new TraceCostMeter();
        var runResult = Simulation.of(algorithm.create(AlgorithmParameters.of(world)), world, 1)
                .withoutMonitors()
                .withLimits(
                        algorithm.problem() == Problem.ELECTION
                                ? RunLimits.AMPLE.withMaxTime(ELECTION_TIME_LIMIT)
                                : RunLimits.AMPLE)
                .withTrace(traceCostMeter)
                .run();
        return new Run(runResult, traceCostMeter);
    }
}
