package habemus.cli.analyze;

import com.google.gson.JsonObject;
import habemus.cli.experiment.LatencyParser;
import habemus.cli.experiment.OptionValue;
import habemus.cli.experiment.WorldOption;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.ProgressLine;
import habemus.cli.terminal.Terminal;
import habemus.cli.terminal.TwoColumnText;
import habemus.lab.diagram.svg.Chart;
import habemus.lab.table.TextTable;
import habemus.lab.timeout.DelayDistribution;
import habemus.lab.timeout.LeaseSimulation;
import habemus.lab.timeout.TimeoutCost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.ParseResult;

/** {@code habemus timeout}: the timeout with the lowest expected cost. */
public final class TimeoutCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final String DEFAULT_LATENCY = "lognormal:20,0.6";
    private static final int DEFAULT_RUNS = 2_000;
    private static final long MAX_RUNS = 10_000_000;
    private static final int CURVE_POINTS = 200;
    private static final List<Double> PERCENTILES = List.of(0.5, 0.9, 0.99, 0.999, 0.9999);

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
        var timeoutCost = new TimeoutCost(
                delays(parsed),
                ParsedOptions.<Double>get(parsed, "--waiting"),
                ParsedOptions.<Double>get(parsed, "--mistake"));
        int runs = ParsedOptions.getInt(parsed, "--runs");
        long seed = ParsedOptions.<Long>get(parsed, "--seed");
        var best = timeoutCost.best();
        ParsedOptions.text(parsed, "--svg").ifPresent(file -> AtomicOutputFile.write(file, chart(timeoutCost, best)));
        var progress = new ProgressLine(terminal);
        var result = best.millis() < 0.001
                ? Optional.<LeaseSimulation.Result>empty()
                : Optional.of(new LeaseSimulation(timeoutCost.delayDistribution(), best.millis())
                        .run(runs, seed, done -> progress.show("runs", done, runs)));
        progress.clear();
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? json(timeoutCost, best, result) + "\n"
                                : text(parsed, timeoutCost, best, result, terminal.columns()));
        return ExitCode.OK;
    }

    private static DelayDistribution delays(ParseResult parsed) {
        var samples = ParsedOptions.text(parsed, "--samples");
        if (samples.isPresent() && parsed.hasMatchedOption("--latency")) {
            throw CommandException.usage("--latency and --samples exclude each other", "give one of them");
        }
        var latency = ParsedOptions.text(parsed, "--latency").orElse(DEFAULT_LATENCY);
        return samples.map(TimeoutCommand::readSamples)
                .orElseGet(() -> DelayDistribution.of(
                        LatencyParser.parse(new OptionValue(WorldOption.LATENCY, latency), latency)));
    }

    private static DelayDistribution readSamples(String name) {
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of(name));
        } catch (IOException | RuntimeException unreadable) {
            throw CommandException.failure("cannot read " + name, "check that it exists and is a text file");
        }
        var millis = new ArrayList<Double>();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                millis.add(parseSample(line, name + ", line " + (i + 1)));
            }
        }
        if (millis.isEmpty()) {
            throw CommandException.usage(name + " has no numbers", "write milliseconds, one number a line");
        }
        return new DelayDistribution.Empirical(
                millis.stream().mapToDouble(d -> d).toArray());
    }

    private static double parseSample(String line, String location) {
        try {
            double millis = Double.parseDouble(line);
            if (millis >= 0 && Double.isFinite(millis)) {
                return millis;
            }
        } catch (NumberFormatException unreadable) {
            // reported below
        }
        throw CommandException.usage(
                location + ": not a number of milliseconds: '" + line + "'", "write one number a line");
    }

    private static String text(
            ParseResult parsed,
            TimeoutCost timeoutCost,
            TimeoutCost.Evaluation best,
            Optional<LeaseSimulation.Result> result,
            int columns) {
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
            describeSamples(samples, best, text);
        }
        text.row("simulated", result.map(TimeoutCommand::describe).orElse("no lease: the best timeout is 0"));
        return text + "\n" + table(timeoutCost, best).text(columns);
    }

    private static void describeSamples(
            DelayDistribution.Empirical samples, TimeoutCost.Evaluation best, TwoColumnText text) {
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
        for (double fraction : PERCENTILES) {
            if (!samples.reaches(fraction)) {
                text.row(
                        "warning",
                        "%s and above are beyond the data: %s needs %,d samples"
                                .formatted(
                                        percentile(fraction),
                                        percentile(fraction),
                                        DelayDistribution.samplesFor(fraction)));
                return;
            }
        }
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

    private static TextTable table(TimeoutCost timeoutCost, TimeoutCost.Evaluation best) {
        var table = new TextTable("timeout", "ms", "late", "waiting", "mistakes", "cost");
        add(table, "best", best);
        for (double fraction : PERCENTILES) {
            add(
                    table,
                    percentile(fraction) + (isBeyondData(timeoutCost, fraction) ? " ?" : ""),
                    timeoutCost.evaluate(timeoutCost.delayDistribution().quantile(fraction)));
        }
        return table;
    }

    private static boolean isBeyondData(TimeoutCost timeoutCost, double fraction) {
        return timeoutCost.delayDistribution() instanceof DelayDistribution.Empirical samples
                && !samples.reaches(fraction);
    }

    /** {@code p999} for 0.999. */
    private static String percentile(double fraction) {
        var digits = Double.toString(fraction).substring(2);
        return "p" + (digits.length() == 1 ? digits + "0" : digits);
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

    private static String chart(TimeoutCost timeoutCost, TimeoutCost.Evaluation best) {
        double end = Math.max(2 * best.millis(), timeoutCost.delayDistribution().quantile(0.99));
        var evaluations = IntStream.rangeClosed(0, CURVE_POINTS)
                .mapToObj(i -> timeoutCost.evaluate(end * i / CURVE_POINTS))
                .toList();
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

    private static JsonObject json(
            TimeoutCost timeoutCost, TimeoutCost.Evaluation best, Optional<LeaseSimulation.Result> result) {
        var json = new JsonObject();
        json.addProperty("waiting", timeoutCost.costPerMilli());
        json.addProperty("mistake", timeoutCost.costPerMistake());
        json.addProperty("timeout", best.millis());
        json.addProperty("late", best.lateProbability());
        json.addProperty("cost", best.cost());
        if (timeoutCost.delayDistribution() instanceof DelayDistribution.Empirical samples) {
            json.addProperty("samples", samples.size());
            json.addProperty("lateAtMost", samples.tailProbabilityAtMost(best.millis()));
            json.addProperty("beyondData", best.lateProbability() == 0);
        }
        result.ifPresent(trials -> {
            var simulated = new JsonObject();
            simulated.addProperty("runs", trials.runs());
            simulated.addProperty("mistakes", trials.violatedRuns());
            simulated.addProperty("late", trials.violationRate());
            simulated.addProperty("low", trials.low());
            simulated.addProperty("high", trials.high());
            simulated.addProperty("confidence", LeaseSimulation.CONFIDENCE);
            simulated.addProperty("recovery", trials.recoveryMillis());
            json.add("simulated", simulated);
        });
        return json;
    }
}
