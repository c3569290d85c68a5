package habemus.lab.compare;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Cost;
import habemus.catalogue.Setting;
import habemus.measure.Measurements;
import habemus.protocol.NodeId;
import habemus.simulate.Limits;
import habemus.simulate.Outcome;
import habemus.simulate.Simulation;
import habemus.world.Latency;
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

/** Measures one algorithm after the other, in the same situations. */
public final class Comparison {

    private static final double UNIT = Micros.of(Measurements.UNIT);
    private static final int ENTRIES = 4; // of each node, where everybody wants in
    private static final int LONERS = 12; // of all nodes, one at a time
    private static final int RINGS = 10;
    private static final Duration ELECTED = Measurements.UNIT.multipliedBy(5_000); // by then; heartbeats have no end

    /** What came of a run, and what it cost. */
    private record Run(Outcome outcome, Gauge gauge) {

        /** Where heartbeats or a token go on for ever, only what came before the last news counts. */
        long messages() {
            return isEndless() ? gauge.messagesThen() : gauge.messages();
        }

        boolean isEndless() {
            return outcome.end() != Outcome.End.REST;
        }
    }

    private final Algorithm algorithm;
    private final int nodes;

    private Comparison(Algorithm algorithm, int nodes) {
        this.algorithm = algorithm;
        this.nodes = nodes;
    }

    /** Those that can be compared: all but the broken ones, and services, whose nodes are not alike. */
    public static List<Algorithm> algorithms(Problem problem) {
        return Catalogue.ALL.stream()
                .filter(one -> one.problem() == problem && !one.broken() && !one.isService())
                .toList();
    }

    /** @param progress told what comes next */
    public static List<Row> of(Problem problem, List<Integer> sizes, Consumer<String> progress) {
        var rows = new ArrayList<Row>();
        for (int nodes : sizes) {
            for (Algorithm algorithm : algorithms(problem)) {
                progress.accept(algorithm.name() + ", " + nodes + " nodes");
                var comparison = new Comparison(algorithm, nodes);
                rows.add(problem == Problem.MUTEX ? comparison.mutex() : comparison.election());
            }
        }
        return List.copyOf(rows);
    }

    private Row mutex() {
        var alone = loners().stream()
                .map(node -> run(topology(1), Workload.once(List.of(node))))
                .toList();
        var crowd = Workload.once(topology(1).nodes());
        var busy = run(topology(1), crowd.entering(ENTRIES));
        return new Row(
                algorithm,
                nodes,
                mean(alone),
                busy.outcome.entries() == (long) ENTRIES * nodes
                        ? Optional.of(new Mean((double) busy.messages() / busy.outcome.entries(), 0))
                        : Optional.empty(),
                measured(Cost.Measure.CLIENT_DELAY),
                OptionalDouble.of(measured(Cost.Measure.HANDOVER_DELAY)),
                OptionalInt.empty(),
                busy.gauge.largest(),
                busy.gauge.busiest(),
                figures());
    }

    private double measured(Cost.Measure measure) {
        return measurements().of(measure).getFirst().value();
    }

    private Row election() {
        var alone = loners().stream()
                .map(node -> run(topology(node.number()), Workload.once(List.of(node))))
                .toList();
        var all = IntStream.rangeClosed(1, RINGS)
                .mapToObj(
                        seed -> run(topology(seed), Workload.once(topology(seed).nodes())))
                .toList();
        return new Row(
                algorithm,
                nodes,
                mean(alone),
                Optional.of(Mean.of(all.stream().mapToLong(Run::messages).toArray())),
                all.stream()
                        .mapToDouble(run -> run.gauge.lastNews() / UNIT)
                        .average()
                        .orElseThrow(),
                OptionalDouble.empty(),
                all.stream().mapToInt(run -> run.gauge.rounds()).max(),
                all.stream().mapToInt(run -> run.gauge.largest()).max().orElseThrow(),
                all.stream().mapToDouble(run -> run.gauge.busiest()).average().orElseThrow(),
                figures());
    }

    /** Nothing if a token goes round for ever: who asks alone cannot be told what it cost. */
    private OptionalDouble mean(List<Run> runs) {
        return algorithm.problem() == Problem.MUTEX && runs.stream().anyMatch(Run::isEndless)
                ? OptionalDouble.empty()
                : runs.stream().mapToLong(Run::messages).average();
    }

    private Measurements measurements() {
        return new Measurements(algorithm, nodes);
    }

    private List<Figure> figures() {
        var measurements = measurements();
        return algorithm.costs().stream()
                .map(cost -> Figure.of(cost, measurements))
                .toList();
    }

    /** Some nodes, evenly spread. */
    private List<NodeId> loners() {
        int some = Math.min(nodes, LONERS);
        return IntStream.range(0, some)
                .mapToObj(i -> new NodeId(1 + (int) ((long) i * nodes / some)))
                .toList();
    }

    private Topology topology(long seed) {
        return algorithm.shape() == Topology.Shape.RING ? Topology.shuffledRing(nodes, seed) : Topology.complete(nodes);
    }

    private Run run(Topology topology, Workload workload) {
        var world =
                World.of(topology).taking(new Latency.Fixed(Measurements.UNIT)).wanting(workload);
        var gauge = new Gauge();
        var outcome = Simulation.of(algorithm.make(Setting.of(world)), world, 1)
                .unjudged()
                .within(algorithm.problem() == Problem.ELECTION ? Limits.AMPLE.time(ELECTED) : Limits.AMPLE)
                .tracing(gauge)
                .run();
        return new Run(outcome, gauge);
    }
}
