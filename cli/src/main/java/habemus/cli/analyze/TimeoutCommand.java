package habemus.cli.analyze;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.cli.terminal.TwoColumnText;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.command.NumberOptions;
import habemus.lab.diagram.svg.Chart;
import habemus.lab.table.TextTable;
import habemus.lab.timeout.DelayDistribution;
import habemus.lab.timeout.DelayParser;
import habemus.lab.timeout.LeaseSimulation;
import habemus.lab.timeout.TimeoutCost;
import habemus.lab.timeout.TimeoutJson;
import habemus.lab.timeout.TimeoutReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.ParseResult;

/** {@code habemus timeout}: the timeout with the lowest expected cost. */
public final class TimeoutCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final String DEFAULT_LATENCY = "lognormal:20,0.6";
    private static final int DEFAULT_RUNS = 2_000;
    private static final long MAX_RUNS = 10_000_000;

    @Override
    public String name() {
        return "timeout";
    }

    @Override
    public String summary() {
        return "Finds the timeout with the lowest cost of waiting and wrong suspicions, and simulates it as a lease.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[--latency TIME | --samples FILE] [options]")
                .value(
                        SECTION,
                        "--latency",
                        "TIME",
                        "delay of a reply in milliseconds: fixed:1, uniform:1..5, exp:3 (mean), lognormal:3,0.5"
                                + " (median, sigma) (default: " + DEFAULT_LATENCY + ")")
                .value(SECTION, "--samples", "FILE", "measured delays in milliseconds, one number a line")
                .value(
                        SECTION,
                        "--waiting",
                        "COST",
                        NumberOptions.positive().withDefault(1),
                        "cost of a millisecond of waiting")
                .value(
                        SECTION,
                        "--mistake",
                        "COST",
                        NumberOptions.positive().withDefault(1000),
                        "cost of suspecting a live node")
                .value(
                        SECTION,
                        "--runs",
                        "N",
                        NumberOptions.count(MAX_RUNS).withDefault(DEFAULT_RUNS),
                        "number of simulated runs of central")
                .value(SECTION, "--seed", "N", NumberOptions.count().withDefault(1), "seed of the simulated runs")
                .value(SECTION, "--svg", "FILE", "draws the costs over the timeout")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .examples("habemus timeout --latency lognormal:20,0.6 --waiting 1 --mistake 10000");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var report = TimeoutReport.of(new TimeoutCost(
                delays(parsed),
                ParsedOptions.<Double>get(parsed, "--waiting"),
                ParsedOptions.<Double>get(parsed, "--mistake")));
        int runs = ParsedOptions.getInt(parsed, "--runs");
        long seed = ParsedOptions.<Long>get(parsed, "--seed");
        ParsedOptions.text(parsed, "--svg").ifPresent(file -> AtomicOutputFile.write(file, chart(report)));
        var progress = new ProgressLine(terminal);
        var simulated = report.simulate(runs, seed, done -> progress.show("runs", done, runs));
        progress.clear();
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? TimeoutJson.of(simulated) + "\n"
                                : text(parsed, simulated, terminal.columns()));
        return ExitCode.OK;
    }

    private static DelayDistribution delays(ParseResult parsed) {
        var samples = ParsedOptions.text(parsed, "--samples");
        if (samples.isPresent() && parsed.hasMatchedOption("--latency")) {
            throw CommandException.usage("--latency and --samples exclude each other", "give one of them");
        }
        return samples.map(name -> DelayParser.parseSamples(name, readLines(name)))
                .orElseGet(() -> DelayParser.parseLatency(
                        ParsedOptions.text(parsed, "--latency").orElse(DEFAULT_LATENCY)));
    }

    private static List<String> readLines(String name) {
        try {
            return Files.readAllLines(Path.of(name));
        } catch (IOException | RuntimeException unreadable) {
            throw CommandException.failure("cannot read " + name, "check that it exists and is a text file");
        }
    }

    private static String text(ParseResult parsed, TimeoutReport report, int columns) {
        var timeoutCost = report.timeoutCost();
        var best = report.best();
        var text = new TwoColumnText(columns, 2, 12);
        var delay = ParsedOptions.text(parsed, "--samples")
                .map(file -> "the times in " + file)
                .orElse(ParsedOptions.text(parsed, "--latency").orElse(DEFAULT_LATENCY));
        text.line("delay of a reply: " + delay + " ms; cost of a millisecond of waiting: "
                + NumberOptions.format(timeoutCost.costPerMilli()) + ", of a wrong suspicion: "
                + NumberOptions.format(timeoutCost.costPerMistake()));
        text.line("");
        text.row(
                "timeout",
                millis(best.millis()) + ", at which " + NumberOptions.format(best.lateProbability())
                        + " of the replies are late");
        if (timeoutCost.delayDistribution() instanceof DelayDistribution.Empirical samples) {
            describeSamples(samples, report, text);
        }
        text.row(
                "simulated",
                report.simulated().map(TimeoutCommand::describe).orElse("no lease: the best timeout is 0"));
        return text + "\n" + table(report).text(columns);
    }

    private static void describeSamples(DelayDistribution.Empirical samples, TimeoutReport report, TwoColumnText text) {
        var best = report.best();
        text.row(
                "samples",
                "%,d: with %d %% confidence at most %s of the replies are late"
                        .formatted(
                                samples.size(),
                                Math.round(100 * LeaseSimulation.CONFIDENCE),
                                NumberOptions.format(samples.tailProbabilityAtMost(best.millis()))));
        if (best.lateProbability() == 0) {
            text.row(
                    "warning",
                    "no sample is later than this timeout: the tail is beyond the data; measure more delays");
        }
        report.percentiles().stream()
                .filter(TimeoutReport.Percentile::isBeyondData)
                .findFirst()
                .ifPresent(percentile -> text.row(
                        "warning",
                        "%s and above are beyond the data: %s needs %,d samples"
                                .formatted(percentile.name(), percentile.name(), percentile.samplesNeeded())));
    }

    private static String describe(LeaseSimulation.Result result) {
        return ("central with this lease: two holders in %,d of %,d runs (%s, %d %% confidence: %s to %s);"
                        + " grants the next waiter %s after a crash")
                .formatted(
                        result.violatedRuns(),
                        result.runs(),
                        NumberOptions.format(result.violationRate()),
                        Math.round(100 * LeaseSimulation.CONFIDENCE),
                        NumberOptions.format(result.low()),
                        NumberOptions.format(result.high()),
                        millis(result.recoveryMillis()));
    }

    private static String millis(double time) {
        return String.format(Locale.ROOT, "%.3f ms", time);
    }

    private static TextTable table(TimeoutReport report) {
        var table = new TextTable("timeout", "ms", "late", "waiting", "mistakes", "cost");
        add(table, "best", report.best());
        for (var percentile : report.percentiles()) {
            add(table, percentile.name() + (percentile.isBeyondData() ? " ?" : ""), percentile.evaluation());
        }
        return table;
    }

    private static void add(TextTable table, String name, TimeoutCost.Evaluation evaluation) {
        table.row(
                name,
                String.format(Locale.ROOT, "%.3f", evaluation.millis()),
                NumberOptions.format(evaluation.lateProbability()),
                NumberOptions.format(evaluation.waitingCost()),
                NumberOptions.format(evaluation.mistakeCost()),
                NumberOptions.format(evaluation.cost()));
    }

    private static String chart(TimeoutReport report) {
        var best = report.best();
        var evaluations = report.curve();
        return new Chart(
                        "Cost of a timeout",
                        new Chart.Axis("timeout in milliseconds", false),
                        new Chart.Axis("cost", false))
                .curve("total", points(evaluations, TimeoutCost.Evaluation::cost))
                .curve("waiting", points(evaluations, TimeoutCost.Evaluation::waitingCost))
                .curve("wrong suspicions", points(evaluations, TimeoutCost.Evaluation::mistakeCost))
                .mark(new Chart.Point(best.millis(), best.cost()), millis(best.millis()))
                .draw();
    }

    private static List<Chart.Point> points(
            List<TimeoutCost.Evaluation> evaluations, ToDoubleFunction<TimeoutCost.Evaluation> what) {
        return evaluations.stream()
                .map(evaluation -> new Chart.Point(evaluation.millis(), what.applyAsDouble(evaluation)))
                .toList();
    }
}
