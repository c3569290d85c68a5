package habemus.cli.analyze;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.catalogue.CostFormula;
import habemus.catalogue.Guarantee;
import habemus.catalogue.TimingAssumption;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.simulate.ScenarioGallery;
import habemus.cli.terminal.Terminal;
import habemus.cli.terminal.TwoColumnText;
import habemus.lab.advice.AlgorithmForm;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.experiment.AlgorithmOptionText;
import habemus.lab.experiment.AssumptionText;
import habemus.lab.run.Scenario;
import habemus.world.FaultKind;
import habemus.world.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code habemus list}: the algorithms and the scenarios. */
public final class ListCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final String SCENARIOS = "scenarios";
    private static final int NAME_WIDTH = 30;

    /** What is listed: the forms are algorithms, some with an option. */
    private record Selection(List<Problem> problems, List<AlgorithmForm> forms, Set<FaultKind> faults) {

        boolean contains(Algorithm algorithm) {
            return forms.stream().anyMatch(form -> form.algorithm().equals(algorithm));
        }

        /** The scenarios that run an algorithm of these problems. */
        List<Scenario> scenarios() {
            return ScenarioGallery.scenarios().stream()
                    .filter(scenario -> problems.isEmpty()
                            || scenario.algorithms().stream()
                                    .flatMap(name -> Catalogue.find(name).stream())
                                    .anyMatch(algorithm -> problems.contains(algorithm.problem())))
                    .toList();
        }
    }

    @Override
    public String name() {
        return "list";
    }

    @Override
    public String summary() {
        return "Lists the algorithms and the scenarios of the gallery, or those that survive some faults.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[mutex | election | detector | log | threads | scenarios] [options]")
                .positionals("WHAT", false)
                .value(
                        SECTION,
                        "--survives",
                        "FAULT,…",
                        "only algorithms that guarantee to solve their problem under all of these faults: "
                                + String.join(", ", FaultKinds.names()))
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .examples("habemus list", "habemus list mutex", "habemus list election --survives crash,restart");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var what = ParsedOptions.firstArgument(parsed);
        var faults = ParsedOptions.text(parsed, "--survives").map(text -> FaultKinds.parse("--survives", text));
        if (what.filter(SCENARIOS::equals).isPresent() && faults.isPresent()) {
            throw CommandException.usage(
                    "--survives selects algorithms, not scenarios", "habemus list --survives crash");
        }
        var problems = what.map(ListCommand::problems).orElse(List.of(Problem.values()));
        var selection =
                new Selection(what.isEmpty() ? List.of() : problems, forms(problems, faults), faults.orElse(Set.of()));
        boolean withScenarios = faults.isEmpty();
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? json(selection, withScenarios) + "\n"
                                : text(selection, withScenarios, terminal));
        return ExitCode.OK;
    }

    private static List<Problem> problems(String word) {
        var words = Stream.concat(Arrays.stream(Problem.values()).map(Problem::toString), Stream.of(SCENARIOS))
                .toList();
        if (!words.contains(word)) {
            throw CommandException.usage(
                    "unknown list: '" + word + "'",
                    SpellingSuggestion.hint(word, words) + "use one of " + String.join(", ", words));
        }
        return Arrays.stream(Problem.values())
                .filter(problem -> problem.toString().equals(word))
                .toList();
    }

    /** All algorithms of these problems; with faults, those that survive them. */
    private static List<AlgorithmForm> forms(List<Problem> problems, Optional<Set<FaultKind>> faults) {
        var algorithms = Catalogue.ALL.stream()
                .filter(algorithm -> problems.contains(algorithm.problem()))
                .toList();
        return faults.map(kinds -> AlgorithmForm.surviving(algorithms, kinds))
                .orElseGet(() -> algorithms.stream().map(AlgorithmForm::of).toList());
    }

    private static String text(Selection selection, boolean withScenarios, Terminal terminal) {
        var translation = terminal.translation();
        var text = new TwoColumnText(terminal.columns(), 2, NAME_WIDTH);
        for (Problem problem : Problem.values()) {
            var forms = selection.forms.stream()
                    .filter(form -> form.algorithm().problem() == problem)
                    .toList();
            if (!forms.isEmpty()) {
                text.line(problem + ": " + translation.of(about(problem)));
                forms.forEach(form -> text.row(form.toString(), describe(form, selection, terminal)));
                text.line("");
            }
        }
        var scenarios = withScenarios ? selection.scenarios() : List.<Scenario>of();
        if (!scenarios.isEmpty()) {
            text.line(translation.of("scenarios, for habemus run gallery:NAME"));
            scenarios.forEach(scenario -> text.row(scenario.origin(), scenario.title()));
            text.line("");
        }
        text.line(translation.of(
                selection.forms.isEmpty() && scenarios.isEmpty()
                        ? "No algorithm guarantees this. To see why: habemus advise"
                        : "For the rules, costs and guarantees of an algorithm: habemus explain ALGORITHM"));
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

    /** The summary; for algorithms that survive faults also what their guarantees assume. */
    private static String describe(AlgorithmForm form, Selection selection, Terminal terminal) {
        var translation = terminal.translation();
        var summary = translation.of(form.algorithm().summary());
        var assumptions = selection.faults.isEmpty() ? List.<TimingAssumption>of() : form.assumptions(selection.faults);
        return assumptions.isEmpty()
                ? summary
                : summary + " " + translation.of("Assumes:") + " "
                        + assumptions.stream()
                                .map(timing -> translation.of(timing.toString()))
                                .collect(Collectors.joining("; "))
                        + ".";
    }

    private static JsonObject json(Selection selection, boolean withScenarios) {
        var algorithms = new JsonArray();
        Catalogue.ALL.stream().filter(selection::contains).forEach(algorithm -> {
            var entry = json(algorithm);
            if (!selection.faults.isEmpty()) {
                entry.add("surviving", array(forms(algorithm, selection)));
            }
            algorithms.add(entry);
        });
        var json = new JsonObject();
        json.add("algorithms", algorithms);
        if (withScenarios) {
            var scenarios = new JsonArray();
            selection.scenarios().forEach(scenario -> {
                var entry = new JsonObject();
                entry.addProperty("name", scenario.origin());
                entry.addProperty("summary", scenario.title());
                scenarios.add(entry);
            });
            json.add("scenarios", scenarios);
        }
        return json;
    }

    private static List<String> forms(Algorithm algorithm, Selection selection) {
        return selection.forms.stream()
                .filter(form -> form.algorithm().equals(algorithm))
                .map(AlgorithmForm::toString)
                .toList();
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
        json.addProperty("default", AlgorithmOptionText.defaultText(option));
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
