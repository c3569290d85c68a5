package habemus.cli.analyze;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.SpellingSuggestion;
import habemus.cli.terminal.Terminal;
import habemus.lab.compare.Comparison;
import habemus.lab.compare.ComparisonRow;
import habemus.world.Problem;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code habemus compare}: the measured costs of all algorithms of a problem beside the expected ones. */
public final class CompareCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final String DEFAULT_SIZES = "5,9";
    private static final long MAX_NODES = 200;

    @Override
    public String name() {
        return "compare";
    }

    @Override
    public String summary() {
        return "Measures all algorithms of a problem in the same situations, and compares with their formulas.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "mutex | election  [options]")
                .positionals("PROBLEM", false)
                .value(SECTION, "-n", "N,N…", "numbers of nodes, one table each (default: " + DEFAULT_SIZES + ")")
                .value(
                        SECTION,
                        "--svg",
                        "FILE",
                        "draws the messages over the number of nodes, with the expected curves")
                .value(SECTION, "--write", "FILE", "also writes the tables into the marked section of FILE")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .examples("habemus compare mutex -n 5,9", "habemus compare election -n 4,8,16,32 --svg messages.svg");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var problem = problem(parsed);
        var sizesText = ParsedOptions.text(parsed, "-n").orElse(DEFAULT_SIZES);
        var sizes = sizes(sizesText);
        var command = "habemus compare " + problem + " -n " + sizesText;
        var file = ParsedOptions.text(parsed, "--write");
        file.ifPresent(name ->
                MarkdownFile.readSection(name, command, "the comparison")); // reports errors before anything runs
        var progress = new ProgressLine(terminal);
        var done = new int[1];
        int all = sizes.size() * Comparison.algorithms(problem).size();
        var rows = Comparison.of(problem, sizes, what -> progress.show(what, done[0]++, all));
        progress.clear();
        var output = new ComparisonOutput(problem, sizes, rows);
        ParsedOptions.text(parsed, "--svg").ifPresent(name -> AtomicOutputFile.write(name, output.chart()));
        file.ifPresent(name -> AtomicOutputFile.write(
                name, MarkdownFile.readSection(name, command, "the comparison").replaceWith(output.markdown())));
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? json(problem, rows) + "\n"
                                : output.text(terminal.columns()));
        return rows.stream().allMatch(ComparisonRow::agrees) ? ExitCode.OK : ExitCode.VIOLATED;
    }

    private static Problem problem(ParseResult parsed) {
        var word = ParsedOptions.firstArgument(parsed)
                .orElseThrow(() -> CommandException.usage("PROBLEM is missing", "habemus compare mutex"));
        return Stream.of(Problem.MUTEX, Problem.ELECTION)
                .filter(problem -> problem.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> CommandException.usage(
                        "unknown problem: '" + word + "'",
                        SpellingSuggestion.hint(word, List.of("mutex", "election")) + "use mutex or election"));
    }

    private static List<Integer> sizes(String text) {
        return Stream.of(text.split(",", -1))
                .map(part -> {
                    boolean number = part.matches("\\d{1,6}");
                    if (!number || Integer.parseInt(part) < 3 || Integer.parseInt(part) > MAX_NODES) {
                        throw CommandException.usage(
                                "-n must be a list of numbers from 3 to " + MAX_NODES + ", was '" + text + "'",
                                "write -n " + DEFAULT_SIZES);
                    }
                    return Integer.parseInt(part);
                })
                .distinct()
                .toList();
    }

    private static JsonObject json(Problem problem, List<ComparisonRow> rows) {
        var all = new JsonArray();
        rows.forEach(row -> all.add(json(row)));
        var json = new JsonObject();
        json.addProperty("problem", problem.toString());
        json.add("rows", all);
        return json;
    }

    private static JsonObject json(ComparisonRow row) {
        var measured = new JsonObject();
        row.soloMessages().ifPresent(alone -> measured.addProperty("messagesAlone", alone));
        row.contendedMessages().ifPresent(busy -> {
            measured.addProperty("messages", busy.value());
            measured.addProperty("messagesOff", busy.margin());
        });
        measured.addProperty("clientDelay", row.clientDelay());
        row.handoverDelay().ifPresent(delay -> measured.addProperty("handoverDelay", delay));
        row.rounds().ifPresent(rounds -> measured.addProperty("rounds", rounds));
        measured.addProperty("maxMessageSize", row.largestMessage());
        measured.addProperty("busiestShare", row.busiestNodeShare());
        var expected = new JsonArray();
        for (var costComparison : row.costComparisons()) {
            var cost = new JsonObject();
            cost.addProperty(
                    "what", costComparison.costFormula().measure().name().toLowerCase(Locale.ROOT));
            cost.addProperty("formula", costComparison.costFormula().formula());
            cost.addProperty("expected", costComparison.expected());
            cost.addProperty("measured", costComparison.measured());
            cost.addProperty("agrees", costComparison.agrees());
            expected.add(cost);
        }
        var json = new JsonObject();
        json.addProperty("algorithm", row.algorithm().name());
        json.addProperty("n", row.nodes());
        json.add("measured", measured);
        json.add("expected", expected);
        json.addProperty("agrees", row.agrees());
        return json;
    }
}
