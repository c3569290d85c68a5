package habemus.lab.matrix;

import habemus.check.Checker;
import habemus.check.Effort;
import habemus.check.Report;
import habemus.small.SmallWorlds;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Works a cell out: in one small world after the other, the smallest first, as long as they can be looked at wholly.
 * What is violated in any of them is violated; what holds is said of the largest that was looked at wholly.
 */
final class Look {

    /** Counted, not timed: the same on any machine. */
    static final long STATES = 200_000;

    private static final Effort.Sofar NOTHING_YET = new Effort.Sofar(0, 0, 0, 0, 0, OptionalLong.empty());

    private final Cell cell;
    private final Effort effort;
    private final Map<String, List<Finding>> found = new LinkedHashMap<>();
    private Optional<SmallWorlds.Size> whole = Optional.empty();
    private long states;

    private Look(Cell cell, Effort effort) {
        this.cell = cell;
        this.effort = effort;
    }

    /** @return nothing if the watch has seen enough before it was done */
    static Optional<Row> at(Cell cell, String key, Effort.Watch watch) {
        var stopped = new boolean[1];
        var look = new Look(cell, Effort.ample().states(STATES).watchedBy(sofar -> {
            stopped[0] |= !watch.goOn(sofar);
            return !stopped[0];
        }));
        boolean on = true;
        for (var size : SmallWorlds.sizes(cell.algorithm())) {
            on = on && look.effort.watch().goOn(NOTHING_YET) && look.in(size);
        }
        return stopped[0] ? Optional.empty() : Optional.of(look.row(key));
    }

    /** @return whether all of it was seen */
    private boolean in(SmallWorlds.Size size) {
        var report = Checker.check(cell.protocol(size), cell.scope(size, effort));
        states += report.states();
        report.findings()
                .forEach(finding -> found.computeIfAbsent(finding.name(), name -> new ArrayList<>())
                        .add(told(finding, size)));
        if (report.complete()) {
            whole = Optional.of(size);
        }
        return report.complete();
    }

    private static Finding told(Report.Finding finding, SmallWorlds.Size size) {
        var outcome = Outcome.of(finding.verdict(), finding.name());
        if (!outcome.isShown()) {
            return new Finding(finding.name(), outcome, size, Finding.Run.NONE);
        }
        int steps = (int) finding.run().stream().mapToLong(TraceLine::at).max().orElse(0);
        return new Finding(finding.name(), outcome, size, new Finding.Run(steps, finding.schedule(), finding.loop()));
    }

    private Row row(String key) {
        var findings = new ArrayList<Finding>();
        found.values().forEach(all -> decisive(all).ifPresent(findings::add));
        return new Row(cell, key, states, whole, findings);
    }

    /** Of what was found in several worlds. */
    private static Optional<Finding> decisive(List<Finding> all) {
        return all.stream()
                .filter(finding -> finding.outcome().isShown())
                .min(Finding.SHORTEST)
                .or(() -> all.reversed().stream()
                        .filter(finding -> finding.outcome() == Outcome.HOLDS)
                        .findFirst())
                .or(() -> all.stream().findFirst());
    }
}
