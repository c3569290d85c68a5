package habemus.lab.check;

import habemus.check.BypassGrowth;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.experiment.RequiredProperties;
import habemus.lab.experiment.ScheduledExperiment;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TimeScale;
import habemus.world.Property;
import habemus.world.Verdict;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The result of a check: a verdict, and a shortest counterexample.
 *
 * @param required the properties that count
 * @param bypassGrowth only if the algorithm states no bound of bypasses
 */
public record CheckResult(
        Experiment experiment,
        Scope scope,
        RequiredProperties required,
        CheckReport checkReport,
        Optional<BypassGrowth> bypassGrowth,
        double seconds) {

    public CheckVerdict verdict() {
        var counted = checkReport.findings().stream().filter(this::counts).toList();
        var violated = counted.stream().filter(CheckResult::isViolated).toList();
        if (!violated.isEmpty()) {
            return violated.stream().allMatch(CheckResult::isStuck) ? CheckVerdict.STUCK : CheckVerdict.VIOLATED;
        }
        var decisive = counted.isEmpty() ? checkReport.findings() : counted;
        return decisive.stream().anyMatch(this::isUndecided)
                ? CheckVerdict.INCOMPLETE
                : counted.isEmpty() ? CheckVerdict.NOTHING_GUARANTEED : CheckVerdict.HOLDS;
    }

    /** Without a bound there is nothing that bounded waiting could keep. */
    public boolean counts(CheckReport.Finding finding) {
        return required.contains(finding.name()) && (bypassGrowth.isEmpty() || !isBoundedWaiting(finding));
    }

    private boolean isUndecided(CheckReport.Finding finding) {
        return finding.verdict() == Verdict.OPEN && (bypassGrowth.isEmpty() || !isBoundedWaiting(finding));
    }

    static boolean isBoundedWaiting(CheckReport.Finding finding) {
        return finding.name().equals(Property.BOUNDED_WAITING.toString());
    }

    private static boolean isViolated(CheckReport.Finding finding) {
        return finding.verdict() == Verdict.VIOLATED;
    }

    private static boolean isStuck(CheckReport.Finding finding) {
        return Property.find(finding.name()).filter(Property::isProgress).isPresent();
    }

    /** The shortest counterexample of a property that counts; if there is none, of any property. */
    public Optional<CheckReport.Finding> shortest() {
        return checkReport.findings().stream()
                .filter(CheckResult::isViolated)
                .min(Comparator.comparing((CheckReport.Finding finding) -> !counts(finding))
                        .thenComparingInt(finding -> finding.trace().size()));
    }

    public Recording counterexample() {
        var title = experiment.name() + ": "
                + shortest()
                        .map(finding -> finding.name() + (counts(finding) ? " violated" : " not guaranteed"))
                        .orElse("nothing violated");
        var lines = shortest().map(CheckReport.Finding::trace).orElse(List.of()).stream()
                .map(required::label)
                .toList();
        return new Recording(title, experiment.world().topology().nodes(), lines, experiment.names(), TimeScale.STEPS);
    }

    /** The command that plays the counterexample of a finding with {@code --moves}; empty if it has none. */
    public String replay(CheckReport.Finding finding) {
        if (finding.schedule().size() == 0) {
            return "";
        }
        var arguments = ScheduledExperiment.toArguments(experiment, scope, finding.schedule());
        return ReplayCommandLine.of(
                counts(finding) ? ScheduledExperiment.requiring(arguments, finding.name()) : arguments);
    }

    String timing() {
        return scope.timers().timing().toString().toLowerCase(Locale.ROOT);
    }
}
