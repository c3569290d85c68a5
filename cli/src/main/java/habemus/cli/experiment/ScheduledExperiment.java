package habemus.cli.experiment;

import habemus.check.ModelChecker;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.cli.terminal.CommandException;
import habemus.lab.graph.EdgeListParser;
import habemus.protocol.NodeId;
import habemus.simulate.RunResult;
import habemus.simulate.TraceStatistics;
import habemus.world.MonitorSet;
import habemus.world.Property;
import habemus.world.Topology.Shape;
import habemus.world.TraceEvent;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A run that is given move by move: in the checker's world, where nothing is left to chance. */
public final class ScheduledExperiment {

    private ScheduledExperiment() {}

    /** What an experiment says of the checker's world: everything but what happens there, and how often. */
    public static Scope scope(Experiment experiment, String timing) {
        var world = experiment.world();
        var scope = Scope.of(world.topology())
                .withRanking(world.ranking())
                .withBypassBound(experiment.algorithm().bypassBound(experiment.nodes()));
        scope = world.networkModel().inOrder() ? scope : scope.withUnorderedLinks();
        return switch (timing) {
            case "asynchronous" -> scope;
            case "synchronous" -> scope.synchronous();
            default ->
                throw CommandException.usage(
                        "--timing " + timing + " is no timing", "it is asynchronous or synchronous");
        };
    }

    /** @throws CommandException if an option is of no use here */
    static void rejectConflictingOptions(RunArguments arguments) {
        if (!arguments.has(WorldOption.MOVES)) {
            if (arguments.has(WorldOption.TIMING)) {
                throw CommandException.usage(
                        "--timing goes with --moves", "a simulated run has --latency and --detect");
            }
            return;
        }
        for (WorldOption option : WorldOption.values()) {
            if (arguments.has(option) && !option.isAllowedWithMoves()) {
                throw CommandException.usage(
                        option.option() + " does not go with --moves, which says itself what happens",
                        "leave out one of them");
            }
        }
        var network = arguments.value(WorldOption.NETWORK);
        if (!network.text().equals("fifo") && !network.text().equals("bag")) {
            throw network.invalid(
                    "does not go with --moves", "it is fifo or bag; 2lost1 and 2twice1 say what goes wrong");
        }
    }

    static RunResult play(Experiment experiment, Consumer<TraceEvent> trace) {
        var arguments = experiment.arguments();
        var scope = scope(experiment, arguments.value(WorldOption.TIMING).text());
        var algorithm = experiment.algorithm();
        try {
            var schedule = Schedule.parse(arguments.value(WorldOption.MOVES).text());
            var protocol = algorithm.create(experiment.algorithmParameters());
            var replayResult = ModelChecker.play(protocol, scope, schedule);
            replayResult.trace().forEach(trace);
            var end = replayResult.bug().isPresent()
                    ? RunResult.End.BUG
                    : replayResult.quiescent() ? RunResult.End.REST : RunResult.End.LAST_MOVE;
            var monitorSet = new MonitorSet(Property.of(protocol), experiment.world(), scope.bypassBound());
            return new TraceStatistics(algorithm.problem(), monitorSet)
                    .evaluate(replayResult.trace(), end, replayResult.bug().orElse(null));
        } catch (Schedule.InvalidScheduleException invalidScheduleException) {
            throw CommandException.usage(
                    "--moves: " + invalidScheduleException.getMessage(), invalidScheduleException.hint());
        }
    }

    /** The words of which a run is made that is known by its moves. */
    public static RunArguments toArguments(Experiment experiment, Scope scope, Schedule schedule) {
        var arguments = experiment.arguments().filter(WorldOption::isAllowedWithMoves);
        if (!arguments.has(WorldOption.NODES) && !TopologyParser.hasOwnSize(arguments)) {
            arguments = arguments.with(WorldOption.NODES, Integer.toString(experiment.nodes()));
        }
        if (arguments.has(WorldOption.TOPOLOGY) && scope.topology().shape() != Shape.COMPLETE) {
            boolean ring = scope.topology().shape() == Shape.RING;
            arguments = arguments.with(
                    WorldOption.TOPOLOGY,
                    ring ? ring(scope) : GraphParser.GRAPH_PREFIX + EdgeListParser.format(scope.topology()));
        }
        var timed = scope.timing() == Scope.Timing.ASYNCHRONOUS
                ? arguments
                : arguments.with(WorldOption.TIMING, "synchronous");
        return timed.with(WorldOption.NETWORK, scope.inOrder() ? "fifo" : "bag")
                .with(WorldOption.MOVES, schedule.toString());
    }

    /** In the order in which they stand, so that no seed is needed. */
    private static String ring(Scope scope) {
        return scope.topology().nodes().stream()
                .map(NodeId::number)
                .map(String::valueOf)
                .collect(Collectors.joining(",", "ring:", ""));
    }
}
