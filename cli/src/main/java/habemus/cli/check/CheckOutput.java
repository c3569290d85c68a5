package habemus.cli.check;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import habemus.check.BypassGrowth;
import habemus.check.model.CheckReport;
import habemus.check.model.CrashTarget;
import habemus.check.model.Scope;
import habemus.cli.experiment.Experiment;
import habemus.cli.experiment.ReplayCommandLine;
import habemus.cli.experiment.RequiredProperties;
import habemus.cli.experiment.ScheduledExperiment;
import habemus.cli.terminal.AnsiColors;
import habemus.lab.diagram.text.LogText;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.trace.NodeNames;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TimeScale;
import habemus.lab.trace.TraceText;
import habemus.protocol.Timed;
import habemus.simulate.LogSummary;
import habemus.world.FaultKind;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.ValueFormatter;
import habemus.world.Verdict;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The result of a check, as text and as JSON. */
record CheckOutput(
        Experiment experiment,
        Scope scope,
        RequiredProperties required,
        CheckReport checkReport,
        Optional<BypassGrowth> bypassGrowth,
        double seconds) {

    private static final int NAME_WIDTH = 23;

    CheckVerdict verdict() {
        var counted = checkReport.findings().stream().filter(this::counts).toList();
        var violated = counted.stream().filter(CheckOutput::isViolated).toList();
        if (!violated.isEmpty()) {
            return violated.stream().allMatch(CheckOutput::isStuck) ? CheckVerdict.STUCK : CheckVerdict.VIOLATED;
        }
        var decisive = counted.isEmpty() ? checkReport.findings() : counted;
        return decisive.stream().anyMatch(this::isUndecided)
                ? CheckVerdict.INCOMPLETE
                : counted.isEmpty() ? CheckVerdict.NOTHING_GUARANTEED : CheckVerdict.HOLDS;
    }

    /** Without a bound there is nothing that bounded waiting could keep. */
    private boolean counts(CheckReport.Finding finding) {
        return required.contains(finding.name()) && (bypassGrowth.isEmpty() || !isBoundedWaiting(finding));
    }

    private boolean isUndecided(CheckReport.Finding finding) {
        return finding.verdict() == Verdict.OPEN && (bypassGrowth.isEmpty() || !isBoundedWaiting(finding));
    }

    private static boolean isBoundedWaiting(CheckReport.Finding finding) {
        return finding.name().equals(Property.BOUNDED_WAITING.toString());
    }

    private static boolean isViolated(CheckReport.Finding finding) {
        return finding.verdict() == Verdict.VIOLATED;
    }

    private static boolean isStuck(CheckReport.Finding finding) {
        return Property.find(finding.name()).filter(Property::isProgress).isPresent();
    }

    /** The shortest counterexample of a property that counts; if there is none, of any property. */
    private Optional<CheckReport.Finding> shortest() {
        return checkReport.findings().stream()
                .filter(CheckOutput::isViolated)
                .min(Comparator.comparing((CheckReport.Finding finding) -> !counts(finding))
                        .thenComparingInt(finding -> finding.trace().size()));
    }

    Recording counterexample() {
        var title = experiment.name() + ": "
                + shortest()
                        .map(finding -> finding.name() + (counts(finding) ? " violated" : " not guaranteed"))
                        .orElse("nothing violated");
        var lines = shortest().map(CheckReport.Finding::trace).orElse(List.of()).stream()
                .map(required::label)
                .toList();
        return new Recording(title, experiment.world().topology().nodes(), lines, experiment.names(), TimeScale.STEPS);
    }

    void print(AnsiColors colors, PrintStream out) {
        out.println(colors.bold(experiment.name() + ": " + experiment.nodesText() + ", "
                + experiment.world().network() + " network, " + timing() + timeouts() + inFlight() + crashTarget()));
        out.println();
        shortest().ifPresent(finding -> printCounterexample(finding, colors, out));
        row(
                out,
                "states",
                "%,d, %,d transitions, depth %d"
                        .formatted(checkReport.states(), checkReport.transitions(), checkReport.depth()));
        row(
                out,
                "took",
                "%.1f s, %d bytes a state".formatted(seconds, checkReport.bytes() / Math.max(1, checkReport.states())));
        if (checkReport.collisionProbability() > 0) {
            row(out, "compacted", "two states may have the same hash, with " + errorProbability());
        }
        printReductions(out);
        printLimits(out);
        if (!checkReport.programResults().isEmpty()) {
            row(out, "final values", programResults());
        }
        Stream.of(true, false)
                .flatMap(counted -> checkReport.findings().stream().filter(finding -> counts(finding) == counted))
                .forEach(finding -> row(out, finding.name(), describe(finding, colors)));
    }

    private String describe(CheckReport.Finding finding, AnsiColors colors) {
        if (bypassGrowth.isPresent() && isBoundedWaiting(finding)) {
            return Verdict.notGuaranteed(bypassGrowth.get().toString());
        }
        var verdict = counts(finding)
                ? verdict(finding, colors)
                : Verdict.notGuaranteed(finding.verdict().answer());
        return finding.description().isEmpty() ? verdict : verdict + ": " + finding.description();
    }

    private void printLimits(PrintStream out) {
        for (var intended : List.of(CheckReport.ALL_DECIDED, CheckReport.FIRST_VIOLATION)) {
            if (checkReport.limitsReached().equals(List.of(intended))) {
                row(out, "stopped", intended);
                return;
            }
        }
        checkReport
                .limitsReached()
                .forEach(limit -> row(out, "incomplete", limit + ": open properties are not proven"));
        var ways = smallerScopes();
        if (!checkReport.limitsReached().isEmpty() && !ways.isEmpty()) {
            row(out, "fewer runs with", String.join(", ", ways));
        }
    }

    private void printCounterexample(CheckReport.Finding finding, AnsiColors colors, PrintStream out) {
        out.println(describeRun(finding) + finding.name() + (counts(finding) ? " violated" : " not true")
                + ", time in steps:");
        out.println();
        long loop = finding.loopStart().stream().asLongStream().findFirst().orElse(Long.MAX_VALUE);
        out.println(TextDiagram.draw(counterexample(), colors.enabled(), loop).stripTrailing());
        out.println();
        var logs = LogSummary.of(counterexample().events()).logs();
        if (!logs.isEmpty()) {
            LogText.draw(logs, experiment.names(), colors.enabled()).forEach(out::println);
            out.println();
        }
        if (finding.schedule().size() > 0) {
            out.println("replay with  " + colors.bold(replay(finding)));
            out.println();
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
        boolean shortest = !finding.description().endsWith(CheckReport.MAYBE_SHORTER) && !isBoundedWaiting(finding);
        return shortest ? "a shortest run to " : "a run to ";
    }

    private String verdict(CheckReport.Finding finding, AnsiColors colors) {
        return switch (finding.verdict()) {
            case VIOLATED -> colors.red("violated");
            case HOLDS -> checkReport.collisionProbability() > 0 ? "holds, except with " + errorProbability() : "holds";
            case OPEN -> "open";
        };
    }

    private String errorProbability() {
        return "probability %.1e".formatted(checkReport.collisionProbability());
    }

    private String replay(CheckReport.Finding finding) {
        if (finding.schedule().size() == 0) {
            return "";
        }
        var arguments = ScheduledExperiment.toArguments(experiment, scope, finding.schedule());
        return ReplayCommandLine.of(
                counts(finding) ? ScheduledExperiment.requiring(arguments, finding.name()) : arguments);
    }

    private void printReductions(PrintStream out) {
        if (!checkReport.reductions().isEmpty()) {
            row(
                    out,
                    "reduced",
                    "by " + String.join(" and ", checkReport.reductions()) + ": the full state space is larger");
        }
        if (scope.options().reductions().order() && !checkReport.reductions().contains("order")) {
            var what = scope.faults().limits().containsKey(FaultKind.PAUSE)
                    ? "a pause"
                    : Property.HAPPENED_BEFORE_ORDER.toString();
            row(out, "not reduced", "by order: " + what + " makes the order visible");
        }
        if (scope.options().reductions().symmetry() && !checkReport.reductions().contains("symmetry")) {
            row(out, "not reduced", "by symmetry: the nodes are not interchangeable, or there are too many");
        }
    }

    private String programResults() {
        var values = checkReport.programResults().stream()
                .map(result -> Long.toString(result.value()))
                .collect(Collectors.joining(", "));
        return checkReport.isComplete() ? values + ": no run ends with another one" : values + " so far";
    }

    private void row(PrintStream out, String name, String text) {
        out.printf(
                Locale.ROOT,
                "%-" + NAME_WIDTH + "s%s%n",
                name,
                experiment.names().in(text));
    }

    private String timing() {
        return scope.timers().timing().toString().toLowerCase(Locale.ROOT);
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

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("algorithm", experiment.algorithm().name());
        json.addProperty("nodes", experiment.nodes());
        json.addProperty("network", experiment.world().network().toString());
        json.addProperty("timing", timing());
        json.addProperty("victim", scope.faults().crashes().target().toString());
        json.addProperty("states", checkReport.states());
        json.addProperty("transitions", checkReport.transitions());
        json.addProperty("depth", checkReport.depth());
        json.addProperty("complete", checkReport.isComplete());
        var reductions = new JsonArray();
        checkReport.reductions().forEach(reductions::add);
        json.add("reductions", reductions);
        var bounds = new JsonArray();
        checkReport.limitsReached().forEach(bounds::add);
        json.add("bounds", bounds);
        if (checkReport.collisionProbability() > 0) {
            json.addProperty("compacted", checkReport.collisionProbability());
        }
        addProgramResults(json);
        addVerdicts(json);
        var lines = new JsonArray();
        counterexample().events().forEach(line -> addTo(lines, line));
        json.add("counterexample", lines);
        json.addProperty("replay", shortest().map(this::replay).orElse(""));
        shortest()
                .flatMap(finding -> finding.loopStart().stream().boxed().findFirst())
                .ifPresentOrElse(loop -> json.addProperty("loop", loop), () -> json.add("loop", JsonNull.INSTANCE));
        json.add("maxBypass", maxBypass());
        bypassGrowth.ifPresent(growth -> {
            var bypasses = new JsonArray();
            growth.bypasses().forEach(bypasses::add);
            json.add("bypasses", bypasses);
        });
        json.addProperty("seconds", seconds);
        return json;
    }

    private void addVerdicts(JsonObject json) {
        json.addProperty("verdict", verdict().toString());
        var properties = new JsonObject();
        var answers = new JsonObject();
        for (var finding : checkReport.findings()) {
            if (counts(finding)) {
                properties.addProperty(finding.name(), finding.verdict().toString());
            } else {
                answers.addProperty(finding.name(), finding.verdict().answer());
            }
        }
        json.add("properties", properties);
        json.add("notGuaranteed", answers);
    }

    private void addProgramResults(JsonObject json) {
        var results = new JsonArray();
        checkReport.programResults().forEach(result -> results.add(result.value()));
        if (!results.isEmpty()) {
            json.add("finalValues", results);
        }
    }

    private JsonElement maxBypass() {
        if (checkReport.maxBypass().isEmpty()) {
            return JsonNull.INSTANCE;
        }
        int times = checkReport.maxBypass().getAsInt();
        return times == Scope.UNBOUNDED ? new JsonPrimitive("unbounded") : new JsonPrimitive(times);
    }

    private static void addTo(JsonArray lines, TraceEvent line) {
        var texts = TraceText.of(line, NodeNames.NONE, TimeScale.STEPS);
        if (!texts.isEmpty()) {
            var json = new JsonObject();
            json.addProperty(
                    "node",
                    line instanceof TraceEvent.NodeStep nodeStep
                            ? nodeStep.node().toString()
                            : "");
            json.addProperty(
                    "event",
                    line instanceof TraceEvent.Step step
                            ? ValueFormatter.format(step.event())
                            : ValueFormatter.typeName(line));
            json.addProperty("text", String.join("\n", texts).strip());
            lines.add(json);
        }
    }
}
