package habemus.cli.analyze;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.lab.quorum.MeanTimeBetweenFailures;
import habemus.lab.quorum.QuorumJson;
import habemus.lab.quorum.QuorumParameters;
import habemus.lab.quorum.QuorumReport;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus quorum}: how likely two nodes hold the lock, and how likely none can. */
public final class QuorumCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final long MAX_COORDINATORS = 100_000;
    private static final int DEFAULT_RUNS = 2_000;
    private static final long MAX_RUNS = 10_000_000;

    @Override
    public String name() {
        return "quorum";
    }

    @Override
    public String summary() {
        return "Computes how likely m of n coordinators that forget their grants admit two holders, or block all.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var syntax = new CommandSyntax(this, "-n N [-m M] (-p P | --mtbf TIME --hold TIME) [options]")
                .value(SECTION, "-n", "N", NumberOptions.count(MAX_COORDINATORS), "number of coordinators")
                .value(
                        SECTION,
                        "-m",
                        "M",
                        NumberOptions.count(MAX_COORDINATORS),
                        "number of grants needed (default: a majority, or by --target)");
        return addFailures(syntax)
                .value(
                        SECTION,
                        "--target",
                        "P",
                        NumberOptions.probability(),
                        "finds the smallest m with at most this probability of two holders")
                .value(
                        SECTION,
                        "--runs",
                        "N",
                        NumberOptions.count(MAX_RUNS).withDefault(DEFAULT_RUNS),
                        "number of simulated runs")
                .value(SECTION, "--seed", "N", NumberOptions.count().withDefault(1), "seed of the simulated runs")
                .flag(SECTION, "--no-simulate", "computes without a simulation")
                .value(SECTION, "--svg", "FILE", "draws the probability of two holders over m")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .examples(
                        "habemus quorum -n 32 -m 24 -p 0.0001",
                        "habemus quorum -n 5 -p 0.001 --target 1e-9",
                        "habemus quorum -n 5 --mtbf 30d --hold 2s --repair 5m");
    }

    private static CommandSyntax addFailures(CommandSyntax syntax) {
        return syntax.value(
                        SECTION,
                        "-p",
                        "P",
                        NumberOptions.probability(),
                        "probability that a coordinator restarts while the lock is held")
                .value(
                        SECTION,
                        "--down",
                        "P",
                        NumberOptions.probability(),
                        "probability that a coordinator is down (default: that of a restart)")
                .value(
                        SECTION,
                        "--mtbf",
                        "TIME",
                        DurationOptions.longDuration(),
                        "instead of -p: mean time between two failures of a coordinator")
                .value(
                        SECTION,
                        "--hold",
                        "TIME",
                        DurationOptions.longDuration(),
                        "with --mtbf: how long the lock is held; p = 1 - e^(-hold/mtbf)")
                .value(
                        SECTION,
                        "--repair",
                        "TIME",
                        DurationOptions.longDuration(),
                        "with --mtbf: how long a failed coordinator is down; down = repair/(mtbf + repair)");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        ParsedOptions.require(parsed, "-n", "5");
        double restart = restartProbability(parsed);
        var computed = QuorumReport.of(new QuorumParameters(
                ParsedOptions.getInt(parsed, "-n"),
                ParsedOptions.<Long>find(parsed, "-m").map(Math::toIntExact),
                restart,
                downProbability(parsed, restart),
                ParsedOptions.find(parsed, "--target")));
        boolean isSimulated = !parsed.hasMatchedOption("--no-simulate") && computed.canBeSimulated();
        var report = isSimulated ? simulate(parsed, computed, terminal) : computed;
        var output = new QuorumOutput(report, formulas(parsed));
        ParsedOptions.text(parsed, "--svg").ifPresent(file -> AtomicOutputFile.write(file, output.chart()));
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? QuorumJson.of(report) + "\n"
                                : output.text(terminal.columns()));
        return ExitCode.OK;
    }

    private static double restartProbability(ParseResult parsed) {
        if (!parsed.hasMatchedOption("--mtbf")) {
            ParsedOptions.reject(parsed, List.of("--hold", "--repair"), "needs --mtbf", "add --mtbf 30d");
            ParsedOptions.require(parsed, "-p", "0.001");
            return ParsedOptions.<Double>get(parsed, "-p");
        }
        ParsedOptions.reject(parsed, List.of("-p"), "and --mtbf exclude each other", "give one of them");
        ParsedOptions.require(parsed, "--hold", "2s");
        return failures(parsed).failureProbability(ParsedOptions.get(parsed, "--hold"));
    }

    private static double downProbability(ParseResult parsed, double restart) {
        if (parsed.hasMatchedOption("--repair")) {
            ParsedOptions.reject(parsed, List.of("--down"), "and --repair exclude each other", "give one of them");
            return failures(parsed).downProbability(ParsedOptions.get(parsed, "--repair"));
        }
        return ParsedOptions.<Double>find(parsed, "--down").orElse(restart);
    }

    private static MeanTimeBetweenFailures failures(ParseResult parsed) {
        return new MeanTimeBetweenFailures(ParsedOptions.<Duration>get(parsed, "--mtbf"));
    }

    /** How the probabilities were computed, with the values as they were given. */
    private static List<String> formulas(ParseResult parsed) {
        if (!parsed.hasMatchedOption("--mtbf")) {
            return List.of();
        }
        var mtbf = given(parsed, "--mtbf");
        var restart = "p = 1 - e^(-hold/mtbf) = 1 - e^(-" + given(parsed, "--hold") + "/" + mtbf + ")";
        if (!parsed.hasMatchedOption("--repair")) {
            return List.of(restart);
        }
        var repair = given(parsed, "--repair");
        return List.of(restart, "down = repair/(mtbf + repair) = " + repair + "/(" + mtbf + " + " + repair + ")");
    }

    private static String given(ParseResult parsed, String option) {
        return parsed.matchedOption(option).originalStringValues().getLast();
    }

    private static QuorumReport simulate(ParseResult parsed, QuorumReport report, Terminal terminal) {
        int runs = ParsedOptions.getInt(parsed, "--runs");
        var progress = new ProgressLine(terminal);
        var simulated = report.simulate(
                runs, ParsedOptions.<Long>get(parsed, "--seed"), done -> progress.show("runs", done, runs));
        progress.clear();
        return simulated;
    }
}
