package habemus.lab.matrix;

import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.lab.diagram.svg.RunSvg;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.trace.Recording;
import habemus.world.Property;
import habemus.world.TraceEvent;
import java.util.ArrayList;

/** The replayed run of a finding. */
record ReplayedFinding(Recording recording, long loop) {

    /** @throws habemus.check.model.Schedule.InvalidScheduleException if the schedule is no longer possible */
    static ReplayedFinding of(MatrixCell cell, CellFinding finding) {
        var scope = cell.scope(finding.size(), CheckOptions.defaults());
        var replayResult = ModelChecker.play(
                cell.protocol(finding.size()), scope, finding.run().schedule());
        var events = new ArrayList<>(replayResult.trace());
        Property.find(finding.property())
                .filter(property -> events.stream().noneMatch(event -> isViolation(event, property)))
                .ifPresent(property ->
                        events.add(new TraceEvent.Violated(events.getLast().at(), property)));
        long loop = finding.run().loop().stream().asLongStream().findFirst().orElse(Long.MAX_VALUE);
        return new ReplayedFinding(
                Recording.ofSteps(title(cell, finding), scope.topology().nodes(), events), loop);
    }

    /** The trace of an infinite run has no such event, because a finite replay cannot violate liveness. */
    private static boolean isViolation(TraceEvent event, Property property) {
        return event instanceof TraceEvent.Violated(var at, var broken) && broken == property;
    }

    static String title(MatrixCell cell, CellFinding finding) {
        return MatrixText.name(cell) + ": " + finding.size() + ", " + cell.network() + ", " + cell.timingName();
    }

    String svg() {
        return RunSvg.draw(recording);
    }

    String text() {
        return TextDiagram.draw(recording, false, loop).stripTrailing();
    }
}
