package habemus.lab.matrix;

import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.lab.diagram.svg.RunSvg;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.trace.Recording;
import habemus.world.Property;
import habemus.world.TraceEvent;
import java.util.ArrayList;

/** The run of a finding, made once more. */
record ReplayedFinding(Recording recording, long loop) {

    /** @throws habemus.check.model.Schedule.InvalidScheduleException if it cannot be made any more */
    static ReplayedFinding of(MatrixCell matrixCell, CellFinding cellFinding) {
        var scope = matrixCell.scope(cellFinding.size(), CheckOptions.defaults());
        var replayResult = ModelChecker.play(
                matrixCell.protocol(cellFinding.size()),
                scope,
                cellFinding.run().schedule());
        var lines = new ArrayList<>(replayResult.trace());
        Property.find(cellFinding.property())
                .filter(property -> lines.stream().noneMatch(line -> isViolation(line, property)))
                .ifPresent(property ->
                        lines.add(new TraceEvent.Violated(lines.getLast().at(), property)));
        long loop = cellFinding.run().loop().stream().asLongStream().findFirst().orElse(Long.MAX_VALUE);
        return new ReplayedFinding(
                new Recording(title(matrixCell, cellFinding), scope.topology().nodes(), lines), loop);
    }

    /** That of a run without end is not in its lines: only going on for ever would show it. */
    private static boolean isViolation(TraceEvent line, Property property) {
        return line instanceof TraceEvent.Violated(var at, var broken) && broken == property;
    }

    static String title(MatrixCell matrixCell, CellFinding cellFinding) {
        return MatrixText.name(matrixCell) + ": " + cellFinding.size() + ", " + matrixCell.networkModel() + ", "
                + matrixCell.timingName();
    }

    String svg() {
        return RunSvg.draw(recording);
    }

    String text() {
        return TextDiagram.draw(recording, false, loop).stripTrailing();
    }
}
