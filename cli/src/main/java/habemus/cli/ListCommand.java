package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Cost;
import habemus.catalogue.Option;
import habemus.catalogue.Promise;
import habemus.catalogue.Setting;
import habemus.world.Problem;
import habemus.world.Property;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus list}: what there is. */
final class ListCommand implements Command {

    private static final String SECTION = "Options:";
    private static final int NAME = 29;
    private static final int LABEL = 10;

    @Override
    public String name() {
        return "list";
    }

    @Override
    public String summary() {
        return "Shows the algorithms with what they cost and survive, and the scenarios of the gallery.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "[--json]")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION)
                .example("habemus list");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        terminal.out().print(parsed.hasMatchedOption("--json") ? json() + "\n" : text());
        return ExitCode.DONE;
    }

    private static String text() {
        var text = new Columns(2, NAME);
        for (Problem problem : Problem.values()) {
            text.line(problem + ": " + about(problem));
            Catalogue.ALL.stream().filter(a -> a.problem() == problem).forEach(a -> describe(a, text));
            text.line("");
        }
        text.line("scenarios, for habemus run gallery:NAME");
        Gallery.scenarios().forEach(scenario -> text.row(scenario.origin(), scenario.title()));
        return text.toString();
    }

    private static String about(Problem problem) {
        return switch (problem) {
            case MUTEX -> "only one of us at a time";
            case ELECTION -> "one of us decides";
            case DETECTOR -> "notice who is down; alone, or beneath an election that listens (--detector)";
        };
    }

    private static void describe(Algorithm algorithm, Columns text) {
        text.row(algorithm.name(), algorithm.summary());
        var details = new Columns(2 + NAME, LABEL);
        var label = "costs";
        for (Cost cost : algorithm.costs()) {
            details.row(label, cost.formula() + " " + cost.measure().words());
            label = "";
        }
        label = algorithm.broken() ? "claims" : "keeps";
        for (Promise promise : algorithm.promises().apply(Setting.standard())) {
            details.row(
                    label,
                    words(promise.properties()) + ": " + Assumption.of(promise).sentence());
            label = "";
        }
        if (!algorithm.options().isEmpty()) {
            var options = algorithm.options().stream()
                    .map(option -> ("--" + option.name() + " " + option.form()).trim())
                    .collect(Collectors.joining(", "));
            details.row("options", options);
        }
        text.line(details.toString().stripTrailing());
    }

    private static String words(Iterable<Property> properties) {
        return String.join(", ", Assumption.texts(properties));
    }

    private static JsonObject json() {
        var algorithms = new JsonArray();
        Catalogue.ALL.forEach(algorithm -> algorithms.add(json(algorithm)));
        var scenarios = new JsonArray();
        Gallery.scenarios().forEach(scenario -> {
            var one = new JsonObject();
            one.addProperty("name", scenario.origin());
            one.addProperty("summary", scenario.title());
            scenarios.add(one);
        });
        var json = new JsonObject();
        json.add("algorithms", algorithms);
        json.add("scenarios", scenarios);
        return json;
    }

    private static JsonObject json(Algorithm algorithm) {
        var cost = new JsonObject();
        algorithm.costs().forEach(one -> cost.addProperty(field(one.measure()), one.formula()));
        var assumes = new JsonArray();
        algorithm.promises().apply(Setting.standard()).forEach(promise -> assumes.add(json(promise)));
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

    private static JsonObject json(Promise promise) {
        var assumption = Assumption.of(promise);
        var json = new JsonObject();
        json.add("properties", array(Assumption.texts(promise.properties())));
        json.addProperty("network", assumption.network());
        json.add("faults", array(assumption.faults()));
        json.addProperty("timing", assumption.timing());
        return json;
    }

    private static JsonObject json(Option<?> option) {
        var json = new JsonObject();
        json.addProperty("name", option.name());
        json.addProperty("form", option.form());
        json.addProperty("standard", RunSyntax.standard(option));
        json.addProperty("help", option.help());
        return json;
    }

    private static JsonArray array(List<String> texts) {
        var array = new JsonArray();
        texts.forEach(array::add);
        return array;
    }

    /** {@code MESSAGES_PER_ENTRY} as {@code messagesPerEntry}. */
    private static String field(Cost.Measure measure) {
        var words = measure.name().toLowerCase(Locale.ROOT).split("_", -1);
        var name = new StringBuilder(words[0]);
        for (int i = 1; i < words.length; i++) {
            name.append(words[i].substring(0, 1).toUpperCase(Locale.ROOT)).append(words[i].substring(1));
        }
        return name.toString();
    }
}
