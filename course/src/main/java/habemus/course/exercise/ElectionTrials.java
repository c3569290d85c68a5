package habemus.course.exercise;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.lab.source.AlgorithmFile;
import habemus.lab.source.SourceFile;
import habemus.lab.trace.Recording;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.simulate.RunLimits;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Tries an election in small worlds with the model checker, and in larger ones with the simulator.
 *
 * @param adapter makes the nodes forget their ids, or nothing
 */
record ElectionTrials(Algorithm algorithm, Function<Protocol<?, ?>, Protocol<?, ?>> adapter) {

    private static final int MAX_STEPS = 20_000;
    private static final long MAX_STATES = 2_000_000;
    private static final Duration TIME_LIMIT = Duration.ofSeconds(40);

    ElectionTrials(Algorithm algorithm) {
        this(algorithm, protocol -> protocol);
    }

    /** @throws habemus.lab.source.InvalidSourceException if the file holds no election */
    static Algorithm load(SourceFile file) {
        var algorithm = AlgorithmFile.load(file);
        if (algorithm.problem() != Problem.ELECTION) {
            throw StudentClass.invalid(file.name() + " holds no election", "implement Election<State, Message>");
        }
        return algorithm;
    }

    Protocol<?, ?> protocol(int nodes) {
        return adapter.apply(algorithm.create(AlgorithmParameters.defaults().withNodeCount(nodes)));
    }

    /** Checks every run of a scope; empty if these properties hold in all of them. */
    Optional<FailingRun> check(Scope scope, Property... properties) {
        var limits = CheckOptions.defaults().withMaxStates(MAX_STATES).withTimeLimit(TIME_LIMIT);
        var report = ModelChecker.check(protocol(scope.topology().size()), scope.withOptions(limits), properties);
        var violated = report.findings().stream()
                .filter(finding -> finding.verdict() == Verdict.VIOLATED)
                .min(Comparator.comparingInt(finding -> finding.trace().size()));
        if (violated.isEmpty() && !report.isComplete()) {
            var reason =
                    "the check of " + describe(scope) + " did not end: " + String.join(", ", report.limitsReached());
            return Optional.of(new FailingRun(reason, recording(reason, scope.topology(), List.of()), ""));
        }
        return violated.map(finding -> failure(scope, finding));
    }

    private FailingRun failure(Scope scope, CheckReport.Finding finding) {
        var reason = describe(scope) + ": " + finding.name() + " violated"
                + (finding.description().isEmpty() ? "" : " (" + finding.description() + ")");
        var replay = finding.schedule().size() == 0
                ? ""
                : "./habemus run " + algorithm.name() + topology(scope.topology())
                        + " --network " + (scope.inOrder() ? "fifo" : "bag")
                        + (scope.isSynchronous() ? " --timing synchronous" : "")
                        + " --moves " + finding.schedule();
        return new FailingRun(reason, recording(reason, scope.topology(), finding.trace()), replay);
    }

    /** A run of the simulator; the trace only if it is asked for. */
    RunResult simulate(World world, long seed, List<TraceEvent> trace) {
        return Simulation.of(protocol(world.topology().size()), world, seed)
                .withLimits(RunLimits.AMPLE.withMaxSteps(MAX_STEPS).withMaxTime(Duration.ofMinutes(2)))
                .withTrace(trace::add)
                .run();
    }

    /** Simulates a world with some seeds; empty if these properties hold in all runs. */
    Optional<FailingRun> simulate(World world, int seeds, Property... properties) {
        for (int seed = 1; seed <= seeds; seed++) {
            var trace = new ArrayList<TraceEvent>();
            var result = simulate(world, seed, trace);
            var wrong = violated(result, properties);
            if (wrong.isPresent()) {
                var reason = describe(world.topology()) + ", seed " + seed + ": " + wrong.get();
                return Optional.of(new FailingRun(reason, recording(reason, world.topology(), trace), ""));
            }
        }
        return Optional.empty();
    }

    private static Optional<String> violated(RunResult result, Property... properties) {
        if (result.bug() != null) {
            return Optional.of(result.bug());
        }
        for (Property property : properties) {
            if (result.verdicts().get(property) != Verdict.HOLDS) {
                return Optional.of(property + " violated (" + property.sentence() + ")");
            }
        }
        return Optional.empty();
    }

    /** A run of the simulator that costs too much. */
    FailingRun expensive(World world, long seed, String reason) {
        var trace = new ArrayList<TraceEvent>();
        simulate(world, seed, trace);
        return new FailingRun(reason, recording(reason, world.topology(), trace), "");
    }

    static Recording recording(String title, Topology topology, List<TraceEvent> events) {
        return new Recording(title, topology.nodes(), events);
    }

    static String describe(Scope scope) {
        var candidates = scope.requests().nodes();
        return describe(scope.topology())
                + (scope.inOrder() ? "" : ", messages reordered")
                + ", candidates "
                + candidates;
    }

    static String describe(Topology topology) {
        return topology.shape() == Topology.Shape.RING ? "ring " + numbers(topology) : topology.size() + " nodes";
    }

    private static String numbers(Topology topology) {
        return topology.nodes().stream()
                .map(node -> Integer.toString(node.number()))
                .collect(Collectors.joining(","));
    }

    private static String topology(Topology topology) {
        return topology.shape() == Topology.Shape.RING
                ? " --topology ring:" + numbers(topology)
                : " -n " + topology.size();
    }

    static List<NodeId> nodes(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(NodeId::new).toList();
    }

    /** Every set of candidates of these nodes that is not empty. */
    static List<NodeSet> candidateSets(int nodes) {
        return IntStream.range(1, 1 << nodes)
                .mapToObj(mask -> NodeSet.of(nodes(nodes).stream()
                        .filter(node -> (mask >> (node.number() - 1) & 1) == 1)
                        .toList()))
                .toList();
    }
}
