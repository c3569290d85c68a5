package habemus.lab.experiment;

import habemus.check.ModelChecker;
import habemus.check.model.CheckReport;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.lab.command.CommandException;
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

/** Runs an experiment move by move in the model of the checker, where nothing is random ({@code --moves}). */
public final class ScheduledExperiment {

    private ScheduledExperiment() {}

    /** The scope of an experiment for the checker, without faults and requests. */
    public static Scope scope(Experiment experiment, String timing) {
        var world = experiment.world();
        var scope = Scope.of(world.topology())
                .withJoiners(world.joiners())
                .withRanking(world.ranking())
                .withBypassBound(experiment.algorithm().bypassBound(experiment.nodes()));
        scope = world.network().inOrder() ? scope : scope.withUnorderedLinks();
        return switch (timing) {
            case "asynchronous" -> scope;
            case "synchronous" -> scope.synchronous();
            default ->
                throw CommandException.usage(
                        "--timing must be asynchronous or synchronous, was '" + timing + "'",
                        "write --timing synchronous");
        };
    }

    /** @throws CommandException if an option has no effect together with {@code --moves}, or without it */
    static void rejectConflictingOptions(RunArguments arguments) {
        if (!arguments.has(WorldOption.MOVES)) {
            if (arguments.has(WorldOption.TIMING)) {
                throw CommandException.usage("--timing needs --moves", "in a simulated run use --latency and --detect");
            }
            return;
        }
        for (WorldOption option : WorldOption.values()) {
            if (arguments.has(option) && !option.isAllowedWithMoves()) {
                throw CommandException.usage(
                        option.option() + " and --moves exclude each other (the moves define the run)",
                        "leave one of them out");
            }
        }
        var network = arguments.value(WorldOption.NETWORK);
        if (!network.text().equals("fifo") && !network.text().equals("bag")) {
            throw network.invalid("is not possible with --moves", "use fifo or bag, and the moves 2lost1 and 2twice1");
        }
    }

    /** The faults of the moves are the faults of the world. */
    static RequiredProperties required(Experiment experiment) {
        return RequiredProperties.of(experiment, schedule(experiment).unboundedScope(scope(experiment)));
    }

    static Scope scope(Experiment experiment) {
        return scope(
                experiment, experiment.arguments().value(WorldOption.TIMING).text());
    }

    static Schedule schedule(Experiment experiment) {
        return parse(experiment.arguments().value(WorldOption.MOVES).text());
    }

    /** @throws CommandException if the text is not a list of moves */
    static Schedule parse(String moves) {
        try {
            return Schedule.parse(moves);
        } catch (Schedule.InvalidScheduleException invalidScheduleException) {
            throw invalidMoves(invalidScheduleException);
        }
    }

    static CommandException invalidMoves(Schedule.InvalidScheduleException invalid) {
        return CommandException.usage("--moves: " + invalid.getMessage(), invalid.hint());
    }

    static RunResult play(Experiment experiment, Consumer<TraceEvent> trace) {
        var scope = scope(experiment);
        var schedule = schedule(experiment);
        var algorithm = experiment.algorithm();
        try {
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
            throw invalidMoves(invalidScheduleException);
        }
    }

    /**
     * The arguments of the same run, in which a property counts.
     *
     * @param violated as in {@link CheckReport.Finding#name}
     */
    public static RunArguments requiring(RunArguments arguments, String violated) {
        return ExperimentParser.parse(arguments).required().contains(violated)
                ? arguments
                : arguments.with(WorldOption.REQUIRE, violated);
    }

    /** The arguments of {@code habemus run} that play a schedule. */
    public static RunArguments toArguments(Experiment experiment, Scope scope, Schedule schedule) {
        var arguments = experiment.arguments().filter(WorldOption::isAllowedWithMoves);
        if (!arguments.has(WorldOption.NODES) && !TopologyParser.hasOwnSize(arguments)) {
            arguments = arguments.with(WorldOption.NODES, Integer.toString(experiment.firstNodes()));
        }
        if (arguments.has(WorldOption.TOPOLOGY) && scope.topology().shape() != Shape.COMPLETE) {
            boolean ring = scope.topology().shape() == Shape.RING;
            arguments = arguments.with(
                    WorldOption.TOPOLOGY,
                    ring ? ring(scope) : GraphParser.GRAPH_PREFIX + EdgeListParser.format(scope.topology()));
        }
        var timed = scope.timers().timing() == Scope.Timing.ASYNCHRONOUS
                ? arguments
                : arguments.with(WorldOption.TIMING, "synchronous");
        return timed.with(WorldOption.NETWORK, scope.inOrder() ? "fifo" : "bag")
                .with(WorldOption.MOVES, schedule.toString());
    }

    /** The ring in explicit order, so that no seed is needed. */
    private static String ring(Scope scope) {
        return scope.topology().nodes().stream()
                .map(NodeId::number)
                .map(String::valueOf)
                .collect(Collectors.joining(",", "ring:", ""));
    }
}
