package habemus.lab.mutation;

import habemus.check.ModelChecker;
import habemus.check.model.CheckReport;
import habemus.check.model.Schedule;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.trace.Recording;
import habemus.world.Property;
import habemus.world.TraceEvent;
import java.util.List;
import java.util.Optional;

/**
 * A mutant with a run that violates its property, just replayed.
 *
 * @param events the trace; each move takes one microsecond
 * @param verdict the violated property and its sentence, or the message of a protocol bug
 */
public record KilledMutant(KillingRun killingRun, List<TraceEvent> events, String verdict) {

    public KilledMutant {
        events = List.copyOf(events);
    }

    /**
     * Replays a recorded run on the mutant. An infinite run is searched again, because a replay of its moves ends.
     *
     * @return empty if the mutant survives the run
     */
    public static Optional<KilledMutant> replay(MutantSearch mutantSearch, KillingRun killingRun) {
        return killingRun.loop().isPresent()
                ? searchAgain(mutantSearch, killingRun)
                : replaySchedule(mutantSearch, killingRun);
    }

    private static Optional<KilledMutant> searchAgain(MutantSearch mutantSearch, KillingRun killingRun) {
        return mutantSearch
                .find(killingRun.smallScope())
                .filter(finding -> finding.schedule().equals(killingRun.schedule()))
                .filter(finding -> finding.loopStart().equals(killingRun.loop()))
                .map(finding -> new KilledMutant(killingRun, finding.trace(), describe(finding.name()) + ", forever"));
    }

    private static Optional<KilledMutant> replaySchedule(MutantSearch mutantSearch, KillingRun killingRun) {
        try {
            var smallScope = killingRun.smallScope();
            var replayResult = ModelChecker.play(
                    mutantSearch.mutatedProtocol(smallScope), smallScope.scope(), killingRun.schedule());
            var breaks = mutantSearch.mutant().breaks();
            var bug = replayResult.bug().filter(any -> breaks.equals(CheckReport.PROTOCOL_BUG));
            boolean violated = replayResult.trace().stream()
                    .anyMatch(traceEvent -> traceEvent instanceof TraceEvent.Violated violation
                            && violation.property().toString().equals(breaks));
            var events = withoutOthersByName(killingRun, replayResult.trace());
            return violated || bug.isPresent()
                    ? Optional.of(new KilledMutant(killingRun, events, bug.orElse(describe(breaks))))
                    : Optional.empty();
        } catch (Schedule.InvalidScheduleException changed) {
            return Optional.empty();
        }
    }

    /** Removes violations of properties that are checked by name only: the original may violate them too. */
    private static List<TraceEvent> withoutOthersByName(KillingRun killingRun, List<TraceEvent> events) {
        var shown = Property.of(killingRun.smallScope().protocol());
        return events.stream()
                .filter(event -> !(event instanceof TraceEvent.Violated violation)
                        || shown.contains(violation.property())
                        || violation
                                .property()
                                .toString()
                                .equals(killingRun.mutant().breaks()))
                .toList();
    }

    private static String describe(String breaks) {
        return Property.find(breaks)
                .map(property -> breaks + " violated: " + property.sentence())
                .orElse(breaks);
    }

    public Mutant mutant() {
        return killingRun.mutant();
    }

    public Recording recording() {
        var loop = killingRun.loop();
        var repeated =
                loop.isPresent() ? ", steps %d to %d repeat forever".formatted(loop.getAsInt() + 1, steps()) : "";
        var title = mutant() + ": " + mutant().breaks() + " violated" + repeated;
        return Recording.ofSteps(
                title, killingRun.smallScope().scope().topology().nodes(), events);
    }

    /** {@code 2 nodes, each requests twice: a shortest run, 4 steps}. */
    public String summary() {
        return killingRun.smallScope() + ": " + kind() + ", " + (steps() == 1 ? "1 step" : steps() + " steps");
    }

    /** For example {@code a shortest run}. */
    String kind() {
        return killingRun.isShortest() ? "a shortest run" : "an infinite run";
    }

    public int steps() {
        return killingRun.steps();
    }

    /** The run as a text diagram. A protocol bug is no event of the trace, so its message follows the diagram. */
    public String diagram(boolean colour) {
        var diagram = TextDiagram.draw(recording(), colour, killingRun.loop().orElse(Integer.MAX_VALUE));
        return mutant().breaks().equals(CheckReport.PROTOCOL_BUG) ? diagram + verdict + "\n" : diagram;
    }
}
