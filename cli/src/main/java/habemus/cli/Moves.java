package habemus.cli;

import habemus.check.Checker;
import habemus.check.Schedule;
import habemus.check.Scope;
import habemus.lab.graph.EdgeList;
import habemus.protocol.NodeId;
import habemus.simulate.Outcome;
import habemus.simulate.Tally;
import habemus.world.Court;
import habemus.world.Property;
import habemus.world.Topology.Shape;
import habemus.world.TraceLine;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A run that is given move by move: in the checker's world, where nothing is left to chance. */
final class Moves {

    private Moves() {}

    /** What an experiment says of the checker's world: everything but what happens there, and how often. */
    static Scope scope(Experiment experiment, String timing) {
        var world = experiment.world();
        var scope = Scope.of(world.topology())
                .ranked(world.ranking())
                .passing(experiment.algorithm().bypassBound(experiment.nodes()));
        scope = world.network().inOrder() ? scope : scope.unordered();
        return switch (timing) {
            case "asynchronous" -> scope;
            case "synchronous" -> scope.synchronous();
            default -> throw Refusal.wrong("--timing " + timing + " is no timing", "it is asynchronous or synchronous");
        };
    }

    /** @throws Refusal if an option is of no use here */
    static void check(RunWords words) {
        if (!words.has(WorldOption.MOVES)) {
            if (words.has(WorldOption.TIMING)) {
                throw Refusal.wrong("--timing goes with --moves", "a simulated run has --latency and --detect");
            }
            return;
        }
        for (WorldOption option : WorldOption.values()) {
            if (words.has(option) && !option.goesWithMoves()) {
                throw Refusal.wrong(
                        option.option() + " does not go with --moves, which says itself what happens",
                        "leave out one of them");
            }
        }
        var network = words.one(WorldOption.NETWORK);
        if (!network.text().equals("fifo") && !network.text().equals("bag")) {
            throw network.wrong(
                    "does not go with --moves", "it is fifo or bag; 2lost1 and 2twice1 say what goes wrong");
        }
    }

    static Outcome play(Experiment experiment, Consumer<TraceLine> trace) {
        var words = experiment.words();
        var scope = scope(experiment, words.one(WorldOption.TIMING).text());
        var algorithm = experiment.algorithm();
        try {
            var schedule = Schedule.parse(words.one(WorldOption.MOVES).text());
            var protocol = algorithm.make(experiment.setting());
            var played = Checker.play(protocol, scope, schedule);
            played.lines().forEach(trace);
            var end = played.bug().isPresent()
                    ? Outcome.End.BUG
                    : played.atRest() ? Outcome.End.REST : Outcome.End.LAST_MOVE;
            var court = new Court(Property.of(protocol), experiment.world(), scope.bypass());
            return new Tally(algorithm.problem(), court)
                    .count(played.lines(), end, played.bug().orElse(null));
        } catch (Schedule.Impossible impossible) {
            throw Refusal.wrong("--moves: " + impossible.getMessage(), impossible.instead());
        }
    }

    /** The words of which a run is made that is known by its moves. */
    static RunWords words(Experiment experiment, Scope scope, Schedule schedule) {
        var words = experiment.words().only(WorldOption::goesWithMoves);
        if (!words.has(WorldOption.NODES) && !TopologyReader.isListed(words)) {
            words = words.with(WorldOption.NODES, Integer.toString(experiment.nodes()));
        }
        if (words.has(WorldOption.TOPOLOGY) && scope.topology().shape() != Shape.COMPLETE) {
            boolean ring = scope.topology().shape() == Shape.RING;
            words = words.with(
                    WorldOption.TOPOLOGY, ring ? ring(scope) : GraphReader.GRAPH + EdgeList.text(scope.topology()));
        }
        var timed = scope.timing() == Scope.Timing.ASYNCHRONOUS ? words : words.with(WorldOption.TIMING, "synchronous");
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
