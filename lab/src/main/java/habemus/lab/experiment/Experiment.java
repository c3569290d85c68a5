package habemus.lab.experiment;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.lab.trace.NodeNames;
import habemus.lab.trace.TimeScale;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.simulate.RunLimits;
import habemus.simulate.RunResult;
import habemus.simulate.Simulation;
import habemus.world.Problem;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** A configured run: algorithm, world, seed and limits, and the names of the nodes for its output. */
public record Experiment(
        RunArguments arguments,
        AlgorithmParameters algorithmParameters,
        World world,
        NodeNames names,
        long seed,
        RunLimits runLimits) {

    public Algorithm algorithm() {
        return arguments.algorithm();
    }

    public int nodes() {
        return world.topology().size();
    }

    /** The number of nodes that start first. */
    public int firstNodes() {
        return nodes() - world.joiners().size();
    }

    /** The same experiment with nodes that join: those after the last node. */
    public Experiment withJoiners(int joins) {
        var joiners = NodeSet.NONE;
        int last = world.topology().highestNumber();
        for (int number = last + 1; number <= last + joins; number++) {
            joiners = joiners.with(new NodeId(number));
        }
        var extended = world.withJoiners(joiners, Duration.ZERO);
        return new Experiment(
                arguments,
                algorithmParameters,
                extended.withWorkload(MembershipParser.withJoiners(world.workload(), arguments, extended.faults())),
                names,
                seed,
                runLimits);
    }

    /** {@code 3 nodes, n4 joins}. */
    public String nodesText() {
        var later = world.joiners().toList().stream()
                .map(joiner -> ", " + joiner + " joins")
                .collect(Collectors.joining());
        return firstNodes() + (firstNodes() == 1 ? " node" : " nodes") + later;
    }

    public Experiment withLimits(RunLimits next) {
        return new Experiment(arguments, algorithmParameters, world, names, seed, next);
    }

    public RunResult run() {
        return arguments.has(WorldOption.MOVES) ? run(line -> {}) : simulation().run();
    }

    public RunResult run(Consumer<TraceEvent> trace) {
        var required = required();
        Consumer<TraceEvent> labelled = event -> trace.accept(required.label(event));
        return arguments.has(WorldOption.MOVES)
                ? ScheduledExperiment.play(this, labelled)
                : simulation().withTrace(labelled).run();
    }

    /** A run that is given move by move has steps, but no time. */
    public TimeScale timeScale() {
        return arguments.has(WorldOption.MOVES) ? TimeScale.STEPS : TimeScale.MILLIS;
    }

    /** The properties that count in this run. */
    public RequiredProperties required() {
        return arguments.has(WorldOption.MOVES) ? ScheduledExperiment.required(this) : RequiredProperties.of(this);
    }

    private Simulation<?, ?> simulation() {
        return Simulation.of(algorithm().create(algorithmParameters), world, seed)
                .withBypassBound(algorithm().bypassBound(nodes()))
                .withLimits(runLimits);
    }

    /** The name of the algorithm, with its detector if {@code --detector} chose one, and a program with its options. */
    public String name() {
        return algorithm().name()
                + (algorithm().problem() == Problem.THREADS ? programOptions() : "")
                + arguments
                        .find(WorldOption.DETECTOR)
                        .map(detector -> " over " + detector.text())
                        .orElse("");
    }

    private String programOptions() {
        return algorithm().options().stream()
                .flatMap(option -> arguments.find(option).stream().map(text -> " --" + option.name() + " " + text))
                .collect(Collectors.joining());
    }

    public String headline() {
        var who = name() + ": " + nodesText() + ", ";
        return arguments.has(WorldOption.MOVES)
                ? who + world.network() + " network, "
                        + arguments.value(WorldOption.TIMING).text() + ", time in steps"
                : who + "seed " + seed + ", " + world.network() + " network, latency in ms "
                        + LatencyParser.format(world.latency());
    }
}
