package habemus.cli.analyze;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.cli.check.MatrixReplay;
import habemus.cli.simulate.ScenarioGallery;
import habemus.cli.terminal.Terminal;
import habemus.cli.terminal.TwoColumnText;
import habemus.lab.experiment.AssumptionText;
import habemus.lab.explain.Explanation;
import habemus.lab.explain.Explanation.Command;
import habemus.lab.language.Language;
import habemus.lab.language.Translation;
import habemus.lab.matrix.CellFinding;
import habemus.lab.matrix.CellVerdict;
import habemus.lab.matrix.FaultScenario;
import habemus.lab.matrix.MatrixRow;
import habemus.lab.matrix.PublishedMatrix;
import habemus.lab.table.TextTable;
import habemus.world.Problem;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What is known of an algorithm, as text and as JSON: its page, the catalogue, and the matrix. */
final class ExplainOutput {

    private static final int COMMANDS = 3;
    private static final int RULE_WIDTH = 26;
    private static final int LABEL_WIDTH = 13;

    private final Algorithm algorithm;
    private final Explanation explanation;
    private final int nodes;
    private final List<MatrixRow> rows;

    ExplainOutput(Algorithm algorithm, Explanation explanation, int nodes) {
        this.algorithm = algorithm;
        this.explanation = explanation;
        this.nodes = nodes;
        this.rows = PublishedMatrix.rows(List.of(algorithm)).stream()
                .filter(row -> row.cell().variant().option().isEmpty())
                .filter(row -> row.cell().network().inOrder() || row.cell().faultScenario() == FaultScenario.REORDER)
                .toList();
    }

    String text(Terminal terminal) {
        var translation = terminal.translation();
        var text = new TwoColumnText(terminal.columns(), 2, RULE_WIDTH);
        text.line(algorithm.name() + ": " + explanation.title()).line("");
        for (int i = 0; i < explanation.idea().size(); i++) {
            var paragraph = explanation.idea().get(i);
            if (i > 0 && !paragraph.matches("(?:- |\\d+\\. ).*")) {
                text.line("");
            }
            text.paragraph(paragraph);
        }
        if (!explanation.rules().isEmpty()) {
            text.line("").line(translation.of("Rules"));
            explanation.rules().forEach(rule -> text.row(rule.when(), rule.does()));
        }
        addCosts(text, translation);
        return text + guarantees(terminal) + survival(terminal) + commands(terminal);
    }

    private void addCosts(TwoColumnText text, Translation translation) {
        if (algorithm.costs().isEmpty()) {
            return;
        }
        text.line("").line(translation.of("Costs, for n = " + nodes));
        algorithm.costs().forEach(cost -> {
            var value = TextTable.formatNumber(cost.function().applyAsDouble(nodes));
            var formula = cost.formula().equals(value) ? value : cost.formula() + " = " + value;
            text.row(formula, translation.of(cost.label()));
        });
    }

    private String guarantees(Terminal terminal) {
        var translation = terminal.translation();
        var text = new TwoColumnText(terminal.columns(), 2, RULE_WIDTH);
        text.line("").line(translation.of(algorithm.broken() ? "What it claims" : "What it guarantees"));
        for (var guarantee : algorithm.guarantees().apply(AlgorithmParameters.defaults())) {
            text.paragraph(String.join(", ", AssumptionText.toStrings(guarantee.properties())) + ": "
                    + AssumptionText.of(guarantee).sentence(translation));
        }
        if (algorithm.guarantees().apply(AlgorithmParameters.defaults()).isEmpty()) {
            text.paragraph(translation.of("Nothing with its default options."));
        }
        return text.toString();
    }

    /** By the matrix; logs and threads have no cells there. */
    private String survival(Terminal terminal) {
        if (rows.isEmpty()) {
            return "";
        }
        var translation = terminal.translation();
        var text = new TwoColumnText(terminal.columns(), 2, LABEL_WIDTH);
        text.line("").line(translation.of("What it survives, in every run of a small world"));
        for (String timing : List.of("asynchronous", "synchronous")) {
            var timed = rows.stream()
                    .filter(row -> row.cell().timingName().equals(timing))
                    .toList();
            if (timing.equals("synchronous") && !timed.isEmpty()) {
                text.line("").line("  " + translation.of("if messages are faster than timers and detection:"));
            }
            addVerdicts(timed, text, translation);
        }
        return text.toString();
    }

    /** Without a fault first: if that fails, every fault does. */
    private static void addVerdicts(List<MatrixRow> timed, TwoColumnText text, Translation translation) {
        var survived = new ArrayList<String>();
        var undecided = new ArrayList<String>();
        var broken = new ArrayList<String>();
        for (MatrixRow row : timed) {
            var fault = translation.of(row.cell().faultScenario().description());
            var worst = row.worst();
            if (worst.filter(finding -> finding.verdict().hasCounterexample()).isPresent()) {
                var steps =
                        worst.get().verdict() + " after " + worst.get().run().steps() + " steps";
                broken.add(fault + ": " + worst.get().property() + " " + translation.of(steps));
                if (row.cell().faultScenario() == FaultScenario.NOTHING) {
                    break;
                }
            } else if (worst.filter(finding -> finding.verdict() == CellVerdict.INCOMPLETE)
                    .isPresent()) {
                undecided.add(fault);
            } else {
                survived.add(fault);
            }
        }
        addRows(text, translation.of("survives"), survived);
        addRows(text, translation.of("fails"), broken);
        if (!undecided.isEmpty()) {
            text.row(translation.of("not decided"), String.join("; ", undecided));
        }
    }

    private static void addRows(TwoColumnText text, String label, List<String> faults) {
        for (int i = 0; i < faults.size(); i++) {
            text.row(i == 0 ? label : "", faults.get(i));
        }
    }

    /** A comment that is not translated is left out in other languages. */
    private String commands(Terminal terminal) {
        var translation = terminal.translation();
        var text = new StringBuilder("\n" + translation.of("Try") + "\n");
        tryThese().forEach(command -> {
            boolean isReadable = terminal.language() == Language.ENGLISH || translation.has(command.comment());
            if (isReadable && !command.comment().isEmpty()) {
                text.append("  ").append(translation.of(command.comment())).append('\n');
            }
            text.append("    ").append(command.line()).append('\n');
        });
        return text.toString();
    }

    /** The commands of its page; else a scenario, a check, and the shortest run that fails. */
    private List<Command> tryThese() {
        if (explanation.commands().size() >= COMMANDS) {
            return explanation.commands().subList(0, COMMANDS);
        }
        var commands = new ArrayList<>(explanation.commands());
        ScenarioGallery.scenarios().stream()
                .filter(scenario -> scenario.algorithms().contains(algorithm.name()))
                .findFirst()
                .map(scenario -> new Command("./habemus run gallery:" + scenario.origin(), scenario.title()))
                .ifPresent(commands::add);
        check().ifPresent(commands::add);
        failure().ifPresent(commands::add);
        commands.add(new Command("./habemus run " + algorithm.name() + " -n " + exampleSize(), "one random run"));
        commands.add(
                new Command("./habemus fuzz " + algorithm.name() + " --seeds 100", "random runs with random faults"));
        return List.copyOf(commands.subList(0, COMMANDS));
    }

    private int exampleSize() {
        return algorithm.isService() ? 6 : 5;
    }

    /** A world without faults that was checked completely for the matrix. */
    private Optional<Command> check() {
        return rows.stream()
                .filter(row -> row.cell().faultScenario() == FaultScenario.NOTHING)
                .flatMap(row -> row.largestComplete().stream()
                        .map(size -> "./habemus check " + algorithm.name() + " -n " + size.nodes()
                                + (algorithm.problem() == Problem.MUTEX ? " --entries " + size.entries() : "")
                                + (row.cell().timingName().equals("synchronous") ? " --timing synchronous" : "")))
                .findFirst()
                .map(line -> new Command(line, "every run of a small world"));
    }

    private Optional<Command> failure() {
        return rows.stream()
                .flatMap(row -> row.worst().stream()
                        .filter(finding -> finding.run().schedule().size() > 0)
                        .map(finding -> new Failure(row, finding)))
                .min(Comparator.comparingInt(failure -> failure.finding.run().steps()))
                .map(failure -> new Command(
                        failure.commandLine(),
                        failure.row.cell().faultScenario().description()));
    }

    private record Failure(MatrixRow row, CellFinding finding) {

        String commandLine() {
            return MatrixReplay.commandLine(
                    row.cell(), finding, finding.run().schedule().toString());
        }
    }

    JsonObject json(Translation translation) {
        var json = new JsonObject();
        json.addProperty("name", algorithm.name());
        json.addProperty("problem", algorithm.problem().toString());
        json.addProperty("title", explanation.title());
        json.addProperty("summary", translation.of(algorithm.summary()));
        var idea = new JsonArray();
        explanation.idea().forEach(idea::add);
        json.add("idea", idea);
        var rules = new JsonArray();
        explanation.rules().forEach(rule -> {
            var entry = new JsonObject();
            entry.addProperty("when", rule.when());
            entry.addProperty("does", rule.does());
            rules.add(entry);
        });
        json.add("rules", rules);
        json.addProperty("n", nodes);
        var costs = new JsonArray();
        algorithm.costs().forEach(cost -> {
            var entry = new JsonObject();
            entry.addProperty("what", translation.of(cost.label()));
            entry.addProperty("formula", cost.formula());
            entry.addProperty("value", cost.function().applyAsDouble(nodes));
            costs.add(entry);
        });
        json.add("costs", costs);
        json.add("faults", faults());
        var commands = new JsonArray();
        tryThese().forEach(command -> commands.add(command.line()));
        json.add("commands", commands);
        return json;
    }

    private JsonArray faults() {
        var faults = new JsonArray();
        for (MatrixRow row : rows) {
            var entry = new JsonObject();
            entry.addProperty("fault", row.cell().faultScenario().toString());
            entry.addProperty("timing", row.cell().timingName());
            row.worst().ifPresent(finding -> {
                entry.addProperty("verdict", finding.verdict().toString());
                entry.addProperty("property", finding.property());
            });
            faults.add(entry);
        }
        return faults;
    }
}
