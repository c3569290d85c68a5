package habemus.cli.analyze;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.MarkdownFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.compare.ComparisonJson;
import habemus.lab.compare.ComparisonParameters;
import habemus.lab.compare.ComparisonRow;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus compare}: the measured costs of all algorithms of a problem beside the expected ones. */
public final class CompareCommand implements Subcommand {

    private static final String SECTION = "Options:";

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
                .value(
                        SECTION,
                        "-n",
                        "N,N…",
                        "numbers of nodes, one table each (default: " + ComparisonParameters.DEFAULT_SIZES + ")")
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
        var word = ParsedOptions.firstArgument(parsed)
                .orElseThrow(() -> CommandException.usage("PROBLEM is missing", "habemus compare mutex"));
        var sizesText = ParsedOptions.text(parsed, "-n").orElse(ComparisonParameters.DEFAULT_SIZES);
        var parameters = ComparisonParameters.parse(word, sizesText);
        var problem = parameters.problem();
        var command = "habemus compare " + problem + " -n " + sizesText;
        var file = ParsedOptions.text(parsed, "--write");
        file.ifPresent(name ->
                MarkdownFile.readSection(name, command, "the comparison")); // reports errors before anything runs
        var progress = new ProgressLine(terminal);
        var done = new int[1];
        int all = parameters.count();
        var rows = parameters.measure(what -> progress.show(what, done[0]++, all));
        progress.clear();
        var output = new ComparisonOutput(problem, parameters.sizes(), rows);
        ParsedOptions.text(parsed, "--svg").ifPresent(name -> AtomicOutputFile.write(name, output.chart()));
        file.ifPresent(name -> AtomicOutputFile.write(
                name, MarkdownFile.readSection(name, command, "the comparison").replaceWith(output.markdown())));
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? ComparisonJson.of(problem, rows) + "\n"
                                : output.text(terminal.columns()));
        return rows.stream().allMatch(ComparisonRow::agrees) ? ExitCode.OK : ExitCode.VIOLATED;
    }
}
