package habemus.cli.check;

import habemus.check.model.CheckOptions;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.RunOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.simulate.RunOutputFiles;
import habemus.cli.terminal.Terminal;
import habemus.lab.check.CheckArguments;
import habemus.lab.check.CheckCommandLine;
import habemus.lab.check.CheckJson;
import habemus.lab.check.CheckOption;
import habemus.lab.check.CheckPlan;
import habemus.lab.check.CheckText;
import habemus.lab.command.NumberOptions;
import habemus.lab.trace.TimeScale;
import habemus.world.Problem;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus check}: explores every run of a small world with the model checker. */
public final class CheckCommand implements Subcommand {

    @Override
    public String name() {
        return "check";
    }

    @Override
    public String summary() {
        return "Explores every run of a small world: a verdict for every property, and a shortest counterexample.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var syntax = new CommandSyntax(this, "ALGORITHM [options]").positionals("ALGORITHM", false);
        RunOptions.add(syntax, RunOptions.mentionedAlgorithms(args), CheckOption.WORLD);
        for (CheckOption option : CheckOption.values()) {
            add(syntax, option);
        }
        var search = CheckOption.Section.SEARCH.heading();
        syntax.value(search, "--megabytes", "N", NumberOptions.count(), "memory limit (default: half of the heap)")
                .value(search, "--workers", "N", NumberOptions.count().withDefault(1), "number of threads");
        return OutputOptions.add(syntax)
                .exitCodes(
                        "0  no property that counts is violated (see --require)",
                        "1  a property that counts is violated, or a step fails",
                        "2  wrong usage",
                        "5  the search ended before it decided every property that counts")
                .examples(
                        "habemus check ricart-agrawala -n 3 --entries 2",
                        "habemus check ricart-agrawala-by-priority --svg broken.svg",
                        "habemus check bully -n 3 --crashes 1 --timing synchronous --property uniqueness,agreement",
                        "habemus check bully-stable -n 2 --require best-wins --stop-at-first",
                        "habemus check central -n 3 --crashes 1 --victim holder",
                        "habemus check quorum -n 2 --numbers 3 --timeouts unbounded --max-in-flight 2",
                        "habemus check token-ring -n 3 --joins 1 --leaves 1",
                        "habemus check central -n 3 --lease 400 --pauses 1 --timing synchronous",
                        "habemus check raft -n 3 --proposals 1 --timeouts 2 --crashes 1 --tail-losses 1");
    }

    private static void add(CommandSyntax syntax, CheckOption option) {
        var section = option.section().heading();
        if (option.isFlag()) {
            syntax.flag(section, option.option(), option.help());
        } else {
            syntax.value(section, option.option(), option.form(), option.type(), option.help());
        }
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var plan = CheckPlan.of(arguments(parsed));
        var experiment = plan.experiment();
        var output = OutputOptions.of(parsed);
        output.rejectLogSvgUnless(experiment.algorithm().problem() == Problem.LOG);
        try (var checkProgress = new CheckProgress(terminal);
                var files = new RunOutputFiles(output, experiment.names(), TimeScale.STEPS)) {
            var result = plan.withOptions(
                            options -> withMachine(options, parsed).withProgressListener(checkProgress))
                    .check();
            checkProgress.clear();
            result.counterexample().events().forEach(files::write);
            files.finish(result::counterexample, result.scope().topology());
            if (output.json()) {
                terminal.out().println(CheckJson.of(result));
            } else {
                CheckText.of(result, terminal.colors(output.color())).forEach(terminal.out()::println);
            }
            return result.verdict().exitCode();
        }
    }

    static CheckArguments arguments(ParseResult parsed) {
        var name = ParsedOptions.firstArgument(parsed).orElseThrow(CheckCommandLine::missingAlgorithm);
        var given = RunOptions.experimentOptions(parsed, CheckOption.WORLD);
        for (CheckOption option : CheckOption.values()) {
            if (parsed.hasMatchedOption(option.option())) {
                given.put(option.option(), parsed.matchedOption(option.option()).stringValues());
            }
        }
        return CheckArguments.of(RunOptions.algorithm(name), given);
    }

    /** The memory and the threads of this machine that the search uses. */
    private static CheckOptions withMachine(CheckOptions options, ParseResult parsed) {
        long maxBytes = ParsedOptions.<Long>find(parsed, "--megabytes")
                .map(megabytes -> megabytes << 20)
                .orElse(Runtime.getRuntime().maxMemory() / 2);
        long workers = ParsedOptions.get(parsed, "--workers");
        return options.withMaxBytes(maxBytes).withThreads((int) Math.min(Integer.MAX_VALUE, workers));
    }
}
