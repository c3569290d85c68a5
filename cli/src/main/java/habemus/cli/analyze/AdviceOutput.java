package habemus.cli.analyze;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.check.MatrixReplay;
import habemus.cli.terminal.TwoColumnText;
import habemus.lab.advice.Advice;
import habemus.lab.advice.Recommendation;
import habemus.lab.advice.Rejection;
import habemus.lab.advice.Requirements;
import habemus.lab.command.NumberOptions;
import habemus.lab.experiment.AssumptionText;
import habemus.lab.table.TextTable;
import habemus.world.Problem;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Advice as text and as JSON.
 *
 * @param latency as it was given
 */
record AdviceOutput(Advice advice, Optional<String> latency) {

    private static final int NAME_WIDTH = 29;
    private static final int LABEL_WIDTH = 11;

    String text(int columns) {
        var requirements = advice.requirements();
        var text = new TwoColumnText(columns, 2, LABEL_WIDTH);
        text.line(requirements.problem() + ", " + requirements.nodes() + " nodes");
        text.row("faults", requirements.faults().isEmpty() ? "none" : String.join(", ", words(requirements.faults())));
        if (!requirements.priorities().isEmpty()) {
            text.row("matters", String.join(", ", words(requirements.priorities())));
        }
        requirements
                .timeout()
                .ifPresent(best -> text.row(
                        "timeout",
                        String.format(Locale.ROOT, "%.3f ms", best.millis()) + ", at which "
                                + NumberOptions.format(best.lateProbability())
                                + " of the messages are late (habemus timeout"
                                + " --latency " + latency.orElseThrow() + ")"));
        text.row(
                "majority",
                requirements.majority() + " of " + requirements.nodes() + ": at most "
                        + (requirements.nodes() - requirements.majority())
                        + " of the nodes that vote may be down (habemus quorum)");
        text.line("").line(advice.recommended().isEmpty() ? "Nothing fits." : "What fits");
        advice.recommended().forEach(one -> describe(one, requirements, text));
        text.line("");
        return text + rejections(columns);
    }

    static List<String> words(Collection<?> values) {
        return AssumptionText.toStrings(values);
    }

    private static void describe(Recommendation one, Requirements requirements, TwoColumnText text) {
        var algorithm = one.form().algorithm();
        text.line("").line("  " + one.form() + ": " + algorithm.summary());
        text.row("why", why(one, requirements));
        algorithm
                .costs()
                .forEach(cost -> text.row(
                        "cost",
                        TextTable.formatNumber(cost.function().applyAsDouble(requirements.nodes())) + " "
                                + cost.label()));
        one.bypassBound()
                .ifPresent(bound ->
                        text.row("fairness", "other nodes enter at most " + bound + " times while a node waits"));
        one.assumptions().forEach(timing -> text.row("assumes", timing.toString()));
        if (one.needsDetector()) {
            text.row("needs", "a failure detector that suspects no live node (habemus explain perfect)");
        }
        if (!one.durations().isEmpty()) {
            text.row("settings", settings(one));
        }
        if (one.needsFences()) {
            text.row("fences", "a paused holder may overlap with the next one: the resource must check the fence");
        }
        if (algorithm.isService()) {
            text.row(
                    "use it",
                    "habemus up; then habemus " + (requirements.problem() == Problem.MUTEX ? "lock" : "elect")
                            + " NAME -- COMMAND");
        }
        text.row("try", commandLine(one, requirements));
    }

    private static String why(Recommendation one, Requirements requirements) {
        return switch (one.support()) {
            case GUARANTEED ->
                requirements.faults().isEmpty()
                        ? "it guarantees its properties without faults"
                        : "it guarantees its properties under all these faults";
            case CHECKED ->
                "the matrix finds no violation with one of these faults at a time, in small worlds; more is not"
                        + " guaranteed";
        };
    }

    private static String settings(Recommendation one) {
        return one.durations().entrySet().stream()
                .map(entry -> "--" + entry.getKey() + " " + entry.getValue().toMillis())
                .collect(Collectors.joining(" "));
    }

    /** With the options and timeouts of the recommendation. A duration that the form turns on is among the timeouts. */
    private static String commandLine(Recommendation one, Requirements requirements) {
        var option = one.form().variant().option();
        boolean isAmongDurations =
                !option.isEmpty() && one.durations().containsKey(option.split(" ", -1)[0].substring(2));
        var algorithm = one.form().algorithm();
        int nodes = algorithm.isService() ? requirements.nodes() + 3 : requirements.nodes(); // clients, and the log
        return ("./habemus run " + algorithm.name() + " -n " + nodes + " " + (isAmongDurations ? "" : option) + " "
                        + settings(one))
                .strip()
                .replaceAll(" +", " ");
    }

    private String rejections(int columns) {
        var text = new TwoColumnText(columns, 2, NAME_WIDTH);
        text.line("Why the others do not fit");
        for (Rejection one : advice.rejected()) {
            text.row(one.form().toString(), one.reason());
            evidence(one).ifPresent(shown -> text.row("", shown));
            replay(one).ifPresent(line -> text.line("    " + line));
        }
        return text.toString();
    }

    private static Optional<String> evidence(Rejection one) {
        return one.evidence()
                .map(found -> found.row().cell().faultScenario().description() + ": "
                        + found.finding().property() + " " + found.finding().verdict() + " after "
                        + found.finding().run().steps() + " steps");
    }

    private static Optional<String> replay(Rejection one) {
        return one.evidence()
                .map(found -> MatrixReplay.commandLine(
                        found.row().cell(),
                        found.finding(),
                        found.finding().run().schedule().toString()));
    }

    JsonObject json() {
        var requirements = advice.requirements();
        var json = new JsonObject();
        json.addProperty("problem", requirements.problem().toString());
        json.addProperty("n", requirements.nodes());
        json.add("faults", array(words(requirements.faults())));
        json.add("matters", array(words(requirements.priorities())));
        requirements.timeout().ifPresent(best -> {
            json.addProperty("timeout", best.millis());
            json.addProperty("late", best.lateProbability());
        });
        json.addProperty("majority", requirements.majority());
        var fitting = new JsonArray();
        advice.recommended().forEach(one -> fitting.add(json(one, requirements)));
        json.add("fitting", fitting);
        var rejected = new JsonArray();
        advice.rejected().forEach(one -> {
            var entry = new JsonObject();
            entry.addProperty("algorithm", one.form().toString());
            entry.addProperty("reason", one.reason());
            evidence(one).ifPresent(shown -> entry.addProperty("found", shown));
            replay(one).ifPresent(line -> entry.addProperty("replay", line));
            rejected.add(entry);
        });
        json.add("rejected", rejected);
        return json;
    }

    private static JsonObject json(Recommendation one, Requirements requirements) {
        var json = new JsonObject();
        json.addProperty("algorithm", one.form().toString());
        json.addProperty("service", one.form().algorithm().isService());
        json.addProperty("support", one.support().name().toLowerCase(Locale.ROOT));
        json.addProperty("needsFences", one.needsFences());
        json.addProperty("needsDetector", one.needsDetector());
        var costs = new JsonArray();
        one.form().algorithm().costs().forEach(cost -> {
            var entry = new JsonObject();
            entry.addProperty("what", cost.label());
            entry.addProperty("value", cost.function().applyAsDouble(requirements.nodes()));
            costs.add(entry);
        });
        json.add("costs", costs);
        one.bypassBound().ifPresent(bound -> json.addProperty("bypassBound", bound));
        json.add("assumes", array(words(one.assumptions())));
        var settings = new JsonObject();
        one.durations().forEach((name, duration) -> settings.addProperty(name, duration.toMillis()));
        json.add("settings", settings);
        json.addProperty("command", commandLine(one, requirements));
        return json;
    }

    private static JsonArray array(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }
}
