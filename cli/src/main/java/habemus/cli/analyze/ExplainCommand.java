package habemus.cli.analyze;

import habemus.catalogue.Algorithm;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.RunOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.lab.explain.Explanation;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus explain}: the idea of an algorithm, its rules and costs, what it survives, and what to try. */
public final class ExplainCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final int DEFAULT_NODES = 5;
    private static final long MAX_NODES = 1_000_000;

    @Override
    public String name() {
        return "explain";
    }

    @Override
    public String summary() {
        return "Explains an algorithm: its idea, rules and costs, what it survives, and three commands to try.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "ALGORITHM [options]")
                .positionals("ALGORITHM", false)
                .value(
                        SECTION,
                        "-n",
                        "N",
                        NumberOptions.count(MAX_NODES).withDefault(DEFAULT_NODES),
                        "number of nodes for which the costs are computed")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .examples(
                        "habemus explain ricart-agrawala",
                        "habemus explain bully -n 9",
                        "habemus explain ring --lang pt");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var name = ParsedOptions.firstArgument(parsed)
                .orElseThrow(() -> CommandException.usage("ALGORITHM is missing", "habemus explain ricart-agrawala"));
        var algorithm = RunOptions.algorithm(name);
        var output = new ExplainOutput(algorithm, explanation(algorithm, terminal), ParsedOptions.getInt(parsed, "-n"));
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? output.json(terminal.translation()) + "\n"
                                : output.text(terminal));
        return ExitCode.OK;
    }

    private static Explanation explanation(Algorithm algorithm, Terminal terminal) {
        return Explanation.of(algorithm, terminal.language())
                .orElseThrow(() -> CommandException.usage(
                        "no explanation of " + algorithm.name() + " (only algorithms of the catalogue have one)",
                        "habemus list shows the algorithms"));
    }
}
