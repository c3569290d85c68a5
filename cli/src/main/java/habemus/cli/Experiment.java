package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Setting;
import habemus.simulate.Limits;
import habemus.simulate.Outcome;
import habemus.simulate.Simulation;
import habemus.world.TraceLine;
import habemus.world.World;
import java.util.function.Consumer;

/** A run that is ready to be made. */
record Experiment(RunWords words, Setting setting, World world, long seed, Limits limits) {

    Algorithm algorithm() {
        return words.algorithm();
    }

    int nodes() {
        return world.topology().size();
    }

    Experiment within(Limits next) {
        return new Experiment(words, setting, world, seed, next);
    }

    Outcome run() {
        return words.has(WorldOption.MOVES) ? run(line -> {}) : simulation().run();
    }

    Outcome run(Consumer<TraceLine> trace) {
        return words.has(WorldOption.MOVES)
                ? Moves.play(this, trace)
                : simulation().tracing(trace).run();
    }

    private Simulation<?, ?> simulation() {
        return Simulation.of(algorithm().make(setting), world, seed)
                .bounding(algorithm().bypassBound(nodes()))
                .within(limits);
    }

    /** Of the algorithm, and of the detector beneath it if there is one. */
    String name() {
        return algorithm().name()
                + words.ifGiven(WorldOption.DETECTOR)
                        .map(detector -> " over " + detector.text())
                        .orElse("");
    }

    String headline() {
        var who = name() + ": " + nodes() + (nodes() == 1 ? " node" : " nodes") + ", ";
        return words.has(WorldOption.MOVES)
                ? who + world.network() + " network, "
                        + words.one(WorldOption.TIMING).text() + ", time in moves"
                : who + "seed " + seed + ", " + world.network() + " network, latency in ms "
                        + LatencyReader.text(world.latency());
    }
}
