package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import habemus.check.Report;
import habemus.check.Scope;
import habemus.check.Victim;
import habemus.lab.picture.TextDiagram;
import habemus.lab.trace.Recording;
import habemus.lab.trace.TraceText;
import habemus.protocol.Timed;
import habemus.world.Hazard;
import habemus.world.Property;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import habemus.world.Wording;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A check that was made, for people and for programs. */
record Checked(Experiment experiment, Scope scope, Report report, double seconds) {

    static final String HOLDS = "holds";

    private static final int NAME = 23;

    /** holds, violated, stuck or incomplete. */
    String verdict() {
        var broken = violated();
        if (broken.isEmpty()) {
            return report.findings().stream().allMatch(finding -> finding.verdict() == Verdict.HOLDS)
                    ? HOLDS
                    : "incomplete";
        }
        return broken.stream().allMatch(Checked::isStuck) ? "stuck" : "violated";
    }

    private static boolean isStuck(Report.Finding finding) {
        return Property.find(finding.name()).filter(Property::isProgress).isPresent();
    }

    private List<Report.Finding> violated() {
        return report.findings().stream()
                .filter(finding -> finding.verdict() == Verdict.VIOLATED)
                .toList();
    }

    /** The shortest of all counterexamples. */
    private Optional<Report.Finding> shortest() {
        return violated().stream()
                .min((a, b) -> Integer.compare(a.run().size(), b.run().size()));
    }

    Recording counterexample() {
        var title = experiment.name() + ": "
                + shortest()
                        .map(Report.Finding::name)
                        .map(name -> name + " violated")
                        .orElse("nothing violated");
        var lines = shortest().map(Report.Finding::run).orElse(List.of());
        return new Recording(title, experiment.world().topology().nodes(), lines);
    }

    void print(Paint paint, PrintStream out) {
        out.println(paint.bold(experiment.name() + ": " + experiment.nodes() + " nodes, "
                + experiment.world().network() + " network, " + timing() + alarms() + victim()));
        out.println();
        shortest().ifPresent(finding -> {
            out.println(kind(finding) + " " + finding.name() + " violated, time in steps:");
            out.println();
            long loop = finding.loop().stream().asLongStream().findFirst().orElse(Long.MAX_VALUE);
            out.println(TextDiagram.draw(counterexample(), paint.on(), loop).stripTrailing());
            out.println();
            if (finding.schedule().size() > 0) {
                out.println("see it again with  " + paint.bold(replay(finding)));
                out.println();
            }
        });
        row(
                out,
                "states",
                "%,d, %,d transitions, depth %d".formatted(report.states(), report.transitions(), report.depth()));
        row(out, "took", "%.1f s, %d bytes a state".formatted(seconds, report.bytes() / Math.max(1, report.states())));
        if (report.mistaken() > 0) {
            row(out, "compacted", "states may have been mistaken for each other, with " + chance());
        }
        printReductions(out);
        report.bounded().forEach(what -> row(out, "incomplete", what + ": what is open is not proven"));
        var ways = smaller();
        if (!report.bounded().isEmpty() && !ways.isEmpty()) {
            row(out, "fewer runs with", String.join(", ", ways));
        }
        for (var finding : report.findings()) {
            row(
                    out,
                    finding.name(),
                    finding.words().isEmpty()
                            ? verdict(finding, paint)
                            : verdict(finding, paint) + ": " + finding.words());
        }
    }

    /** What makes a world in which a search ends sooner. */
    private List<String> smaller() {
        var ways = new ArrayList<String>();
        if (experiment.nodes() > 2) {
            ways.add("-n " + (experiment.nodes() - 1));
        }
        if (experiment.algorithm().make(experiment.setting()) instanceof Timed<?, ?, ?>
                && scope.timing() == Scope.Timing.ASYNCHRONOUS) {
            ways.add("--timing synchronous");
            ways.add("--alarms 2");
        }
        switch (experiment.algorithm().problem()) {
            case MUTEX -> ways.add("--callers 1,2");
            case ELECTION -> ways.add("--initiators 1");
            case DETECTOR -> {}
        }
        return ways;
    }

    private String kind(Report.Finding finding) {
        if (finding.loop().isPresent()) {
            return "a run without end, with";
        }
        boolean shortest = !finding.words().endsWith(Report.MAYBE_SHORTER)
                && !finding.name().equals(Property.BOUNDED_WAITING.toString());
        return shortest ? "a shortest run to" : "a run to";
    }

    private String verdict(Report.Finding finding, Paint paint) {
        return switch (finding.verdict()) {
            case VIOLATED -> paint.red("violated");
            case HOLDS -> report.mistaken() > 0 ? "holds, but for " + chance() : "holds";
            case OPEN -> "open";
        };
    }

    private String chance() {
        return "a chance of %.1e".formatted(report.mistaken());
    }

    private String replay(Report.Finding finding) {
        return finding.schedule().size() == 0 ? "" : ReplayLine.of(Moves.words(experiment, scope, finding.schedule()));
    }

    private void printReductions(PrintStream out) {
        if (!report.reductions().isEmpty()) {
            row(
                    out,
                    "reduced",
                    "by " + String.join(" and ", report.reductions()) + ": there are more states than these");
        }
        if (scope.effort().order() && !report.reductions().contains("order")) {
            var what =
                    scope.hazards().containsKey(Hazard.PAUSE) ? "a pause" : Property.HAPPENED_BEFORE_ORDER.toString();
            row(out, "not reduced", "by order: " + what + " tells apart what else commutes");
        }
        if (scope.effort().symmetry() && !report.reductions().contains("symmetry")) {
            row(out, "not reduced", "by symmetry: names matter here, or there are too many");
        }
    }

    private static void row(PrintStream out, String name, String words) {
        out.printf(Locale.ROOT, "%-" + NAME + "s%s%n", name, words);
    }

    private String timing() {
        return scope.timing().toString().toLowerCase(Locale.ROOT);
    }

    private String victim() {
        var victim = scope.crashes().victim();
        return victim == Victim.ANYONE ? "" : ", only a " + victim + " crashes";
    }

    private String alarms() {
        return switch (scope.alarms()) {
            case Scope.MANY -> "";
            case 0 -> ", no alarm rings";
            case 1 -> ", at most one alarm rings";
            default -> ", at most " + scope.alarms() + " alarms ring";
        };
    }

    JsonObject json() {
        var json = new JsonObject();
        json.addProperty("algorithm", experiment.algorithm().name());
        json.addProperty("nodes", experiment.nodes());
        json.addProperty("network", experiment.world().network().toString());
        json.addProperty("timing", timing());
        json.addProperty("victim", scope.crashes().victim().toString());
        json.addProperty("states", report.states());
        json.addProperty("transitions", report.transitions());
        json.addProperty("depth", report.depth());
        json.addProperty("complete", report.complete());
        var reductions = new JsonArray();
        report.reductions().forEach(reductions::add);
        json.add("reductions", reductions);
        var bounds = new JsonArray();
        report.bounded().forEach(bounds::add);
        json.add("bounds", bounds);
        if (report.mistaken() > 0) {
            json.addProperty("compacted", report.mistaken());
        }
        json.addProperty("verdict", verdict());
        var properties = new JsonObject();
        report.findings()
                .forEach(finding ->
                        properties.addProperty(finding.name(), finding.verdict().toString()));
        json.add("properties", properties);
        var lines = new JsonArray();
        counterexample().lines().forEach(line -> addTo(lines, line));
        json.add("counterexample", lines);
        json.addProperty("replay", shortest().map(this::replay).orElse(""));
        shortest()
                .flatMap(finding -> finding.loop().stream().boxed().findFirst())
                .ifPresentOrElse(loop -> json.addProperty("loop", loop), () -> json.add("loop", JsonNull.INSTANCE));
        json.add("maxBypass", maxBypass());
        json.addProperty("seconds", seconds);
        return json;
    }

    private JsonElement maxBypass() {
        if (report.bypass().isEmpty()) {
            return JsonNull.INSTANCE;
        }
        int times = report.bypass().getAsInt();
        return times == Scope.MANY ? new JsonPrimitive("unbounded") : new JsonPrimitive(times);
    }

    private static void addTo(JsonArray lines, TraceLine line) {
        var texts = TraceText.of(line);
        if (!texts.isEmpty()) {
            var json = new JsonObject();
            json.addProperty(
                    "node", line instanceof TraceLine.Acted acted ? acted.node().toString() : "");
            json.addProperty(
                    "event", line instanceof TraceLine.Stepped step ? Wording.of(step.event()) : Wording.name(line));
            json.addProperty("text", String.join("\n", texts).strip());
            lines.add(json);
        }
    }
}
