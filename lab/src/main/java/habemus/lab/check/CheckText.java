package habemus.lab.check;

import habemus.check.model.CheckReport;
import habemus.check.model.CrashTarget;
import habemus.check.model.Scope;
import habemus.lab.diagram.text.LogText;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.experiment.Experiment;
import habemus.lab.table.AnsiColors;
import habemus.protocol.Timed;
import habemus.simulate.LogSummary;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Verdict;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of a check as text: a counterexample, counts, and a verdict for every property. */
public final class CheckText {

    private static final int NAME_WIDTH = 23;

    private final CheckResult result;
    private final CheckReport checkReport;
    private final Experiment experiment;
    private final Scope scope;
    private final AnsiColors colors;
    private final List<String> lines = new ArrayList<>();

    private CheckText(CheckResult result, AnsiColors colors) {
        this.result = result;
        checkReport = result.checkReport();
        experiment = result.experiment();
        scope = result.scope();
        this.colors = colors;
    }

    public static List<String> of(CheckResult result, AnsiColors colors) {
        var text = new CheckText(result, colors);
        text.addAll();
        return List.copyOf(text.lines);
    }

    private void addAll() {
        lines.add(colors.bold(experiment.name() + ": " + experiment.nodesText() + ", "
                + experiment.world().network() + " network, " + result.timing() + timeouts() + inFlight()
                + crashTarget()));
        lines.add("");
        result.shortest().ifPresent(this::addCounterexample);
        row(
                "states",
                "%,d, %,d transitions, depth %d"
                        .formatted(checkReport.states(), checkReport.transitions(), checkReport.depth()));
        row(
                "took",
                "%.1f s, %d bytes a state"
                        .formatted(result.seconds(), checkReport.bytes() / Math.max(1, checkReport.states())));
        if (checkReport.collisionProbability() > 0) {
            row("compacted", "two states may have the same hash, with " + errorProbability());
        }
        addReductions();
        addLimits();
        if (!checkReport.programResults().isEmpty()) {
            row("final values", programResults());
        }
        Stream.of(true, false)
                .flatMap(
                        counted -> checkReport.findings().stream().filter(finding -> result.counts(finding) == counted))
                .forEach(finding -> row(finding.name(), describe(finding)));
    }

    private String describe(CheckReport.Finding finding) {
        if (result.bypassGrowth().isPresent() && CheckResult.isBoundedWaiting(finding)) {
            return Verdict.notGuaranteed(result.bypassGrowth().get().toString());
        }
        var verdict = result.counts(finding)
                ? verdict(finding)
                : Verdict.notGuaranteed(finding.verdict().answer());
        return finding.description().isEmpty() ? verdict : verdict + ": " + finding.description();
    }

    private void addLimits() {
        for (var intended : List.of(CheckReport.ALL_DECIDED, CheckReport.FIRST_VIOLATION)) {
            if (checkReport.limitsReached().equals(List.of(intended))) {
                row("stopped", intended);
                return;
            }
        }
        checkReport.limitsReached().forEach(limit -> row("incomplete", limit + ": open properties are not proven"));
        var ways = smallerScopes();
        if (!checkReport.limitsReached().isEmpty() && !ways.isEmpty()) {
            row("fewer runs with", String.join(", ", ways));
        }
    }

    private void addCounterexample(CheckReport.Finding finding) {
        lines.add(describeRun(finding) + finding.name() + (result.counts(finding) ? " violated" : " not true")
                + ", time in steps:");
        lines.add("");
        long loop = finding.loopStart().stream().asLongStream().findFirst().orElse(Long.MAX_VALUE);
        TextDiagram.draw(result.counterexample(), colors.enabled(), loop)
                .stripTrailing()
                .lines()
                .forEach(lines::add);
        lines.add("");
        var logs = LogSummary.of(result.counterexample().events()).logs();
        if (!logs.isEmpty()) {
            LogText.draw(logs, experiment.names(), colors.enabled()).forEach(lines::add);
            lines.add("");
        }
        if (finding.schedule().size() > 0) {
            lines.add("replay with  " + colors.bold(result.replay(finding)));
            lines.add("");
        }
    }

    /** Options that make the state space smaller. */
    private List<String> smallerScopes() {
        var ways = new ArrayList<String>();
        if (experiment.algorithm().problem() == Problem.THREADS) {
            return List.of("--threads 2", "--rounds 1");
        }
        if (experiment.firstNodes() > 2) {
            ways.add("-n " + (experiment.firstNodes() - 1));
        }
        if (experiment.algorithm().create(experiment.algorithmParameters()) instanceof Timed<?, ?, ?>
                && scope.timers().timing() == Scope.Timing.ASYNCHRONOUS) {
            ways.add("--timing synchronous");
            ways.add("--timeouts 2");
        }
        switch (experiment.algorithm().problem()) {
            case MUTEX -> ways.add("--callers 1,2");
            case ELECTION -> ways.add("--initiators 1");
            case DETECTOR, THREADS -> {}
            case LOG -> ways.add("--proposals 1");
        }
        return ways;
    }

    private String describeRun(CheckReport.Finding finding) {
        if (finding.loopStart().isPresent()) {
            return "an infinite run with ";
        }
        boolean shortest =
                !finding.description().endsWith(CheckReport.MAYBE_SHORTER) && !CheckResult.isBoundedWaiting(finding);
        return shortest ? "a shortest run to " : "a run to ";
    }

    private String verdict(CheckReport.Finding finding) {
        return switch (finding.verdict()) {
            case VIOLATED -> colors.red("violated");
            case HOLDS -> checkReport.collisionProbability() > 0 ? "holds, except with " + errorProbability() : "holds";
            case OPEN -> "open";
        };
    }

    private String errorProbability() {
        return "probability " + scientific(checkReport.collisionProbability());
    }

    private void addReductions() {
        if (!checkReport.reductions().isEmpty()) {
            row("reduced", "by " + String.join(" and ", checkReport.reductions()) + ": the full state space is larger");
        }
        if (scope.options().reductions().order() && !checkReport.reductions().contains("order")) {
            var what = scope.faults().limits().containsKey(FaultKind.PAUSE)
                    ? "a pause"
                    : Property.HAPPENED_BEFORE_ORDER.toString();
            row("not reduced", "by order: " + what + " makes the order visible");
        }
        if (scope.options().reductions().symmetry() && !checkReport.reductions().contains("symmetry")) {
            row("not reduced", "by symmetry: the nodes are not interchangeable, or there are too many");
        }
    }

    private String programResults() {
        var values = checkReport.programResults().stream()
                .map(outcome -> Long.toString(outcome.value()))
                .collect(Collectors.joining(", "));
        return checkReport.isComplete() ? values + ": no run ends with another one" : values + " so far";
    }

    private void row(String name, String text) {
        lines.add(name
                + " ".repeat(Math.max(0, NAME_WIDTH - name.length()))
                + experiment.names().in(text));
    }

    private String crashTarget() {
        var crashTarget = scope.faults().crashes().target();
        return crashTarget == CrashTarget.ANYONE ? "" : ", only a " + crashTarget + " crashes";
    }

    private String inFlight() {
        int messages = scope.timers().maxInFlight();
        return messages == Scope.UNBOUNDED
                ? ""
                : ", timers wait while more than " + messages + (messages == 1 ? " message is" : " messages are")
                        + " in flight";
    }

    private String timeouts() {
        return switch (scope.timers().maxTimeouts()) {
            case Scope.UNBOUNDED -> "";
            case 0 -> ", no timeouts";
            case 1 -> ", at most one timeout";
            default -> ", at most " + scope.timers().maxTimeouts() + " timeouts";
        };
    }

    /** As {@code %.1e}, which the browser does not have. */
    static String scientific(double number) {
        var rounded = BigDecimal.valueOf(number).round(new MathContext(2, RoundingMode.HALF_UP));
        var digits = rounded.unscaledValue() + "0";
        int exponent = rounded.precision() - rounded.scale() - 1;
        return digits.charAt(0) + "." + digits.charAt(1) + "e" + (exponent < 0 ? "-" : "+")
                + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }
}
