package habemus.cli.analyze;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.ShellSyntax;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.Terminal;
import habemus.lab.compare.Comparison;
import habemus.lab.compare.ComparisonRow;
import habemus.world.Problem;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code habemus compare}: the algorithms side by side, measured beside expected. */
public final class CompareCommand implements Command {

    private static final String SECTION = "Options:";
    private static final String DEFAULT_SIZES = "5,9";
    private static final long MAX_NODES = 200;

    @Override
    public String name() {
        return "compare";
    }

    @Override
    public String summary() {
        return "Measures all algorithms of a problem in the same situations, beside what theory says.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "mutex | election  [options]")
                .positionals("PROBLEM", false)
                .value(SECTION, "-n", "N,N…", "how many nodes, one table for each (standard: " + DEFAULT_SIZES + ")")
                .value(
                        SECTION,
                        "--svg",
                        "FILE",
                        "draws the messages over the number of nodes, with the curves of theory")
                .value(SECTION, "--write", "FILE", "also puts the tables into FILE, between its two marks")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .helpOption(SECTION)
                .examples("habemus compare mutex -n 5,9", "habemus compare election -n 4,8,16,32 --svg messages.svg");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var problem = problem(parsed);
        var given = OutputOptions.text(parsed, "-n").orElse(DEFAULT_SIZES);
        var sizes = sizes(given);
        var command = "habemus compare " + problem + " -n " + given;
        var file = OutputOptions.text(parsed, "--write");
        file.ifPresent(
                name -> MarkdownFile.readSection(name, command, "the comparison")); // complains before anything is run
        var progressLine = new ProgressLine(terminal);
        var done = new int[1];
        int all = sizes.size() * Comparison.algorithms(problem).size();
        var comparisonRows = Comparison.of(problem, sizes, what -> progressLine.show(what, done[0]++, all));
        progressLine.clear();
        var sheets = new ComparisonOutput(problem, sizes, comparisonRows);
        OutputOptions.text(parsed, "--svg").ifPresent(name -> AtomicOutputFile.write(name, sheets.chart()));
        file.ifPresent(name -> AtomicOutputFile.write(
                name, MarkdownFile.readSection(name, command, "the comparison").replaceWith(sheets.markdown())));
        terminal.out().print(parsed.hasMatchedOption("--json") ? json(problem, comparisonRows) + "\n" : sheets.text());
        return comparisonRows.stream().allMatch(ComparisonRow::agrees) ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static Problem problem(ParseResult parsed) {
        var word = parsed.matchedPositionals().stream()
                .flatMap(one -> one.stringValues().stream())
                .findFirst()
                .orElseThrow(() -> CommandException.usage(
                        "there is nothing to compare", "say mutex or election, as in habemus compare mutex"));
        return Stream.of(Problem.MUTEX, Problem.ELECTION)
                .filter(problem -> problem.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> CommandException.usage(
                        "there is no comparison of '" + word + "'",
                        SpellingSuggestion.hint(word, List.of("mutex", "election")) + "say mutex or election"));
    }

    private static List<Integer> sizes(String text) {
        return Stream.of(text.split(",", -1))
                .map(part -> {
                    boolean number = part.matches("\\d{1,6}");
                    if (!number || Integer.parseInt(part) < 3 || Integer.parseInt(part) > MAX_NODES) {
                        throw CommandException.usage(
                                "-n " + ShellSyntax.quote(text) + " is not a list of numbers from 3 to " + MAX_NODES,
                                "write it as in -n " + DEFAULT_SIZES);
                    }
                    return Integer.parseInt(part);
                })
                .distinct()
                .toList();
    }

    private static JsonObject json(Problem problem, List<ComparisonRow> comparisonRows) {
        var all = new JsonArray();
        comparisonRows.forEach(comparisonRow -> all.add(json(comparisonRow)));
        var json = new JsonObject();
        json.addProperty("problem", problem.toString());
        json.add("rows", all);
        return json;
    }

    private static JsonObject json(ComparisonRow comparisonRow) {
        var measured = new JsonObject();
        comparisonRow.soloMessages().ifPresent(alone -> measured.addProperty("messagesAlone", alone));
        comparisonRow.contendedMessages().ifPresent(busy -> {
            measured.addProperty("messages", busy.value());
            measured.addProperty("messagesOff", busy.margin());
        });
        measured.addProperty("clientDelay", comparisonRow.clientDelay());
        comparisonRow.handoverDelay().ifPresent(delay -> measured.addProperty("handoverDelay", delay));
        comparisonRow.rounds().ifPresent(rounds -> measured.addProperty("rounds", rounds));
        measured.addProperty("maxMessageSize", comparisonRow.largestMessage());
        measured.addProperty("busiestShare", comparisonRow.busiestNodeShare());
        var expected = new JsonArray();
        for (var costComparison : comparisonRow.costComparisons()) {
            var one = new JsonObject();
            one.addProperty(
                    "what", costComparison.costFormula().measure().name().toLowerCase(Locale.ROOT));
            one.addProperty("formula", costComparison.costFormula().formula());
            one.addProperty("expected", costComparison.expected());
            one.addProperty("measured", costComparison.measured());
            one.addProperty("agrees", costComparison.agrees());
            expected.add(one);
        }
        var json = new JsonObject();
        json.addProperty("algorithm", comparisonRow.algorithm().name());
        json.addProperty("n", comparisonRow.nodes());
        json.add("measured", measured);
        json.add("expected", expected);
        json.addProperty("agrees", comparisonRow.agrees());
        return json;
    }
}
