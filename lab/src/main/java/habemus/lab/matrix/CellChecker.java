package habemus.lab.matrix;

import habemus.check.BypassGrowth;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.smallscope.SmallScopes;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Checks a cell in growing scopes, as long as the checker completes them. A property is violated if any scope violates
 * it. A property that holds is reported for the largest scope that was checked completely.
 */
final class CellChecker {

    /** The limit per scope: states rather than seconds, so that results do not depend on the machine. */
    static final long MAX_STATES = 200_000;

    private static final CheckOptions.Progress NO_PROGRESS =
            new CheckOptions.Progress(0, 0, 0, 0, 0, OptionalLong.empty());

    private final MatrixCell cell;
    private final CheckOptions checkOptions;
    private final Map<String, List<CellFinding>> findingsByProperty = new LinkedHashMap<>();
    private Optional<SmallScopes.Size> largestComplete = Optional.empty();
    private long states;

    private CellChecker(MatrixCell cell, CheckOptions checkOptions) {
        this.cell = cell;
        this.checkOptions = checkOptions;
    }

    /** @return empty if the listener stopped the check */
    static Optional<MatrixRow> check(
            MatrixCell cell, String fingerprint, CheckOptions.ProgressListener progressListener) {
        var stopped = new boolean[1];
        var cellChecker = new CellChecker(
                cell, CheckOptions.defaults().withMaxStates(MAX_STATES).withProgressListener(progress -> {
                    stopped[0] |= !progressListener.shouldContinue(progress);
                    return !stopped[0];
                }));
        cellChecker.checkSizes(cell.sizes());
        if (cellChecker.largestComplete.isEmpty()) {
            cellChecker.checkSizes(cell.sizesWithoutTimeouts());
        }
        return stopped[0] ? Optional.empty() : Optional.of(cellChecker.row(fingerprint));
    }

    /** Checks growing scopes, until one is not checked completely. */
    private void checkSizes(List<SmallScopes.Size> sizes) {
        boolean shouldContinue = true;
        for (var size : sizes) {
            shouldContinue =
                    shouldContinue && checkOptions.progressListener().shouldContinue(NO_PROGRESS) && checkSize(size);
        }
    }

    /** @return whether the scope was checked completely */
    private boolean checkSize(SmallScopes.Size size) {
        var scope = cell.scope(size, checkOptions);
        var report = ModelChecker.check(cell.protocol(size), scope);
        states += report.states();
        report.findings()
                .forEach(finding -> findingsByProperty
                        .computeIfAbsent(finding.name(), name -> new ArrayList<>())
                        .add(measured(finding, scope, report, size).orElseGet(() -> toCellFinding(finding, size))));
        if (report.isComplete()) {
            largestComplete = Optional.of(size);
        }
        return report.isComplete();
    }

    /** The largest bypass, if no bound is stated. */
    private Optional<CellFinding> measured(
            CheckReport.Finding finding, Scope scope, CheckReport report, SmallScopes.Size size) {
        boolean isMeasured = finding.name().equals(Property.BOUNDED_WAITING.toString())
                && finding.verdict() == Verdict.OPEN
                && scope.bypassBound().isEmpty()
                && report.maxBypass().isPresent();
        return isMeasured
                ? Optional.of(new CellFinding(
                        finding.name(),
                        CellVerdict.MEASURED,
                        size,
                        CellFinding.Run.NONE,
                        Optional.of(BypassGrowth.of(
                                cell.protocol(size),
                                scope,
                                report,
                                checkOptions.limits().time()))))
                : Optional.empty();
    }

    private static CellFinding toCellFinding(CheckReport.Finding finding, SmallScopes.Size size) {
        var verdict = CellVerdict.of(finding.verdict(), finding.name());
        if (!verdict.hasCounterexample()) {
            return new CellFinding(finding.name(), verdict, size, CellFinding.Run.NONE);
        }
        int steps =
                (int) finding.trace().stream().mapToLong(TraceEvent::at).max().orElse(0);
        return new CellFinding(
                finding.name(), verdict, size, new CellFinding.Run(steps, finding.schedule(), finding.loopStart()));
    }

    private MatrixRow row(String fingerprint) {
        var findings = new ArrayList<CellFinding>();
        findingsByProperty.values().forEach(all -> decisive(all).ifPresent(findings::add));
        return new MatrixRow(cell, fingerprint, states, largestComplete, findings);
    }

    /** The finding that counts of those in several scopes: the shortest counterexample, else the largest that holds. */
    private static Optional<CellFinding> decisive(List<CellFinding> all) {
        return all.stream()
                .filter(cellFinding -> cellFinding.verdict().hasCounterexample())
                .min(CellFinding.SHORTEST_FIRST)
                .or(() -> all.reversed().stream()
                        .filter(cellFinding -> cellFinding.verdict() != CellVerdict.INCOMPLETE)
                        .findFirst())
                .or(() -> all.stream().findFirst());
    }
}
