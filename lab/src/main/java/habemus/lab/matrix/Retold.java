package habemus.lab.matrix;

import habemus.check.Checker;
import habemus.check.Effort;
import habemus.lab.picture.RunSvg;
import habemus.lab.picture.TextDiagram;
import habemus.lab.trace.Recording;
import habemus.world.Property;
import habemus.world.TraceLine;
import java.util.ArrayList;

/** The run of a finding, made once more. */
record Retold(Recording recording, long loop) {

    /** @throws habemus.check.Schedule.Impossible if it cannot be made any more */
    static Retold of(Cell cell, Finding finding) {
        var scope = cell.scope(finding.size(), Effort.ample());
        var played =
                Checker.play(cell.protocol(finding.size()), scope, finding.run().schedule());
        var lines = new ArrayList<>(played.lines());
        Property.find(finding.property())
                .filter(property -> lines.stream().noneMatch(line -> isViolation(line, property)))
                .ifPresent(property ->
                        lines.add(new TraceLine.Violated(lines.getLast().at(), property)));
        long loop = finding.run().loop().stream().asLongStream().findFirst().orElse(Long.MAX_VALUE);
        return new Retold(new Recording(title(cell, finding), scope.topology().nodes(), lines), loop);
    }

    /** That of a run without end is not in its lines: only going on for ever would show it. */
    private static boolean isViolation(TraceLine line, Property property) {
        return line instanceof TraceLine.Violated(var at, var broken) && broken == property;
    }

    static String title(Cell cell, Finding finding) {
        return MatrixText.name(cell) + ": " + finding.size() + ", " + cell.network() + ", " + cell.timingText();
    }

    String svg() {
        return RunSvg.draw(recording);
    }

    String text() {
        return TextDiagram.draw(recording, false, loop).stripTrailing();
    }
}
