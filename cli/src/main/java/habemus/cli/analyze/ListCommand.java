package habemus.cli.analyze;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.catalogue.CostFormula;
import habemus.catalogue.Guarantee;
import habemus.cli.experiment.AssumptionText;
import habemus.cli.experiment.RunOptions;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.Subcommand;
import habemus.cli.simulate.ScenarioGallery;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.Terminal;
import habemus.cli.terminal.TwoColumnText;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus list}: the algorithms and the scenarios. */
public final class ListCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final int NAME_WIDTH = 29;
    private static final int LABEL_WIDTH = 10;

    @Override
    public String name() {
        return "list";
    }

    @Override
    public String summary() {
        return "Lists the algorithms with their costs and guarantees, and the scenarios of the gallery.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[--json]")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .examples("habemus list");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        terminal.out().print(parsed.hasMatchedOption("--json") ? json() + "\n" : text());
        return ExitCode.OK;
    }

    private static String text() {
        var text = new TwoColumnText(2, NAME_WIDTH);
        for (Problem problem : Problem.values()) {
            text.line(problem + ": " + about(problem));
            Catalogue.ALL.stream().filter(a -> a.problem() == problem).forEach(a -> describe(a, text));
            text.line("");
        }
        text.line("scenarios, for habemus run gallery:NAME");
        ScenarioGallery.scenarios().forEach(scenario -> text.row(scenario.origin(), scenario.title()));
        return text.toString();
    }

    private static String about(Problem problem) {
        return switch (problem) {
            case MUTEX -> "at most one node holds the lock";
            case ELECTION -> "one node becomes leader";
            case DETECTOR -> "failure detectors, alone or for an election (--detector)";
            case LOG -> "all nodes apply the same log";
            case THREADS -> "threads that share memory, each program with broken and correct variants";
        };
    }

    private static void describe(Algorithm algorithm, TwoColumnText text) {
        text.row(algorithm.name(), algorithm.summary());
        var details = new TwoColumnText(2 + NAME_WIDTH, LABEL_WIDTH);
        var label = "costs";
        for (CostFormula costFormula : algorithm.costs()) {
            details.row(
                    label, costFormula.formula() + " " + costFormula.measure().label());
            label = "";
        }
        label = algorithm.broken() ? "claims" : "ensures";
        for (Guarantee guarantee : algorithm.guarantees().apply(AlgorithmParameters.defaults())) {
            details.row(
                    label,
                    join(guarantee.properties()) + ": "
                            + AssumptionText.of(guarantee).sentence());
            label = "";
        }
        if (!algorithm.options().isEmpty()) {
            var options = algorithm.options().stream()
                    .map(option -> ("--" + option.name() + " " + option.valueSyntax()).trim())
                    .collect(Collectors.joining(", "));
            details.row("options", options);
        }
        text.line(details.toString().stripTrailing());
    }

    private static String join(Iterable<Property> properties) {
        return String.join(", ", AssumptionText.toStrings(properties));
    }

    private static JsonObject json() {
        var algorithms = new JsonArray();
        Catalogue.ALL.forEach(algorithm -> algorithms.add(json(algorithm)));
        var scenarios = new JsonArray();
        ScenarioGallery.scenarios().forEach(scenario -> {
            var entry = new JsonObject();
            entry.addProperty("name", scenario.origin());
            entry.addProperty("summary", scenario.title());
            scenarios.add(entry);
        });
        var json = new JsonObject();
        json.add("algorithms", algorithms);
        json.add("scenarios", scenarios);
        return json;
    }

    private static JsonObject json(Algorithm algorithm) {
        var cost = new JsonObject();
        algorithm.costs().forEach(formula -> cost.addProperty(field(formula.measure()), formula.formula()));
        var assumes = new JsonArray();
        algorithm.guarantees().apply(AlgorithmParameters.defaults()).forEach(guarantee -> assumes.add(json(guarantee)));
        var options = new JsonArray();
        algorithm.options().forEach(option -> options.add(json(option)));
        var json = new JsonObject();
        json.addProperty("name", algorithm.name());
        json.addProperty("problem", algorithm.problem().toString());
        json.addProperty("summary", algorithm.summary());
        json.addProperty("broken", algorithm.broken());
        json.addProperty("topology", algorithm.shape().toString());
        json.add("cost", cost);
        json.add("assumes", assumes);
        json.add("options", options);
        return json;
    }

    private static JsonObject json(Guarantee guarantee) {
        var assumptionText = AssumptionText.of(guarantee);
        var json = new JsonObject();
        json.add("properties", array(AssumptionText.toStrings(guarantee.properties())));
        json.addProperty("network", assumptionText.network());
        json.add("faults", array(assumptionText.faults()));
        json.addProperty("timing", assumptionText.timing());
        return json;
    }

    private static JsonObject json(AlgorithmOption<?> option) {
        var json = new JsonObject();
        json.addProperty("name", option.name());
        json.addProperty("form", option.valueSyntax());
        json.addProperty("default", RunOptions.defaultText(option));
        json.addProperty("help", option.help());
        return json;
    }

    private static JsonArray array(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }

    /** {@code MESSAGES_PER_ENTRY} as {@code messagesPerEntry}. */
    private static String field(CostFormula.Measure measure) {
        var parts = measure.name().toLowerCase(Locale.ROOT).split("_", -1);
        var name = new StringBuilder(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            name.append(parts[i].substring(0, 1).toUpperCase(Locale.ROOT)).append(parts[i].substring(1));
        }
        return name.toString();
    }
}
