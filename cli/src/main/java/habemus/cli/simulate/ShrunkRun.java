package habemus.cli.simulate;

import com.google.gson.JsonObject;
import habemus.check.ModelChecker;
import habemus.check.ShrinkResult;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.experiment.RequiredProperties;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.ScheduledExperiment;
import habemus.lab.experiment.WorldOption;
import habemus.simulate.RunResult;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.Optional;

/**
 * A short run that violates the same property as a simulated run.
 *
 * @param arguments of the short run
 * @param violatedProperty the name that the checker uses
 */
record ShrunkRun(RunArguments arguments, String violatedProperty, ShrinkResult shrinkResult) {

    /** Printed if the run could not be shrunk. */
    static final String NOT_SHRUNK = "not shrunk: the run is too long, or depends on exact times";

    /** Longer runs are not shrunk. */
    private static final long MAX_STEPS = 20_000;

    /** @param violated the name that the checker uses */
    static Optional<ShrunkRun> shrink(Experiment experiment, String violated) {
        var lines = new ArrayList<TraceEvent>();
        var runLimits = experiment.runLimits();
        experiment
                .withLimits(runLimits.withMaxSteps(Math.min(MAX_STEPS, runLimits.maxSteps())))
                .run(lines::add);
        var scope = ScheduledExperiment.scope(experiment, WorldOption.TIMING.defaultText());
        var protocol = experiment.algorithm().create(experiment.algorithmParameters());
        return ModelChecker.shrink(protocol, scope, lines, violated)
                .map(shrinkResult -> new ShrunkRun(
                        ScheduledExperiment.requiring(
                                ScheduledExperiment.toArguments(
                                        experiment,
                                        shrinkResult.timing() == Scope.Timing.SYNCHRONOUS ? scope.synchronous() : scope,
                                        shrinkResult.run().schedule()),
                                violated),
                        violated,
                        shrinkResult));
    }

    /** A property that is not true in a run, by the name that the checker uses; one that counts if there is one. */
    static Optional<String> findViolatedProperty(RunResult result, RequiredProperties required) {
        return result.end() == RunResult.End.BUG
                ? Optional.of(CheckReport.PROTOCOL_BUG)
                : required.ordered(result.verdicts().keySet()).stream()
                        .filter(property -> result.verdicts().get(property) == Verdict.VIOLATED)
                        .map(Property::toString)
                        .findFirst();
    }

    private int moves() {
        return shrinkResult.run().schedule().size();
    }

    /** How short the run is, and under which timing it is possible. */
    String text() {
        var how = violatedProperty + ": " + shrinkResult.originalSize() + " moves shrunk to " + moves()
                + (shrinkResult.isShortest() ? ", a shortest run" : ", perhaps not a shortest run");
        if (!shrinkResult.run().schedule().isTimed()) {
            return how;
        }
        var when = shrinkResult.timing() == Scope.Timing.SYNCHRONOUS ? "only after all messages" : "at any time";
        return how + " (timeouts and crash detection " + when + ")";
    }

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("property", violatedProperty);
        json.addProperty("from", shrinkResult.originalSize());
        json.addProperty("moves", moves());
        json.addProperty("shortest", shrinkResult.isShortest());
        json.addProperty("replay", ReplayCommandLine.of(arguments));
        return json;
    }
}
