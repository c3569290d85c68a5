package habemus.cli;

import com.google.gson.JsonObject;
import habemus.check.Checker;
import habemus.check.Report;
import habemus.check.Scope;
import habemus.check.Shrunk;
import habemus.simulate.Outcome;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.Optional;

/**
 * A simulated run that violates something, made short.
 *
 * @param words of which the short run is made
 * @param violated in the words of the checker
 */
record ShortRun(RunWords words, String violated, Shrunk shrunk) {

    /** What is said where there is none. */
    static final String NONE = "not shrunk: too long, or a matter of time and not of order alone";

    /** Whoever needs more is not looked at. */
    private static final long MOST_STEPS = 20_000;

    /** @param violated what it violates, in the words of the checker */
    static Optional<ShortRun> of(Experiment experiment, String violated) {
        var lines = new ArrayList<TraceLine>();
        var limits = experiment.limits();
        experiment.within(limits.steps(Math.min(MOST_STEPS, limits.steps()))).run(lines::add);
        var scope = Moves.scope(experiment, WorldOption.TIMING.standard());
        var protocol = experiment.algorithm().make(experiment.setting());
        return Checker.shrink(protocol, scope, lines, violated)
                .map(shrunk -> new ShortRun(
                        Moves.words(
                                experiment,
                                shrunk.timing() == Scope.Timing.SYNCHRONOUS ? scope.synchronous() : scope,
                                shrunk.run().schedule()),
                        violated,
                        shrunk));
    }

    /** What a run violates, in the words of the checker; nothing if it does not. */
    static Optional<String> violated(Outcome outcome) {
        return outcome.end() == Outcome.End.BUG
                ? Optional.of(Report.PROTOCOL_BUG)
                : outcome.verdicts().entrySet().stream()
                        .filter(verdict -> verdict.getValue() == Verdict.VIOLATED)
                        .map(verdict -> verdict.getKey().toString())
                        .findFirst();
    }

    private int moves() {
        return shrunk.run().schedule().size();
    }

    /** How it came about, and what it is worth. */
    String text() {
        var how = violated + ": " + shrunk.from() + " moves shrunk to " + moves()
                + (shrunk.shortest() ? ", a shortest run" : ", perhaps not a shortest run");
        if (!shrunk.run().schedule().isTimed()) {
            return how;
        }
        var when = shrunk.timing() == Scope.Timing.SYNCHRONOUS ? "only after all messages" : "at any time";
        return how + " where alarms ring and crashes are noticed " + when;
    }

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("property", violated);
        json.addProperty("from", shrunk.from());
        json.addProperty("moves", moves());
        json.addProperty("shortest", shrunk.shortest());
        json.addProperty("replay", ReplayLine.of(words));
        return json;
    }
}
