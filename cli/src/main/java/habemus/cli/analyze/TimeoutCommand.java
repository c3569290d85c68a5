package habemus.cli.analyze;

import com.google.gson.JsonObject;
import habemus.cli.experiment.LatencyParser;
import habemus.cli.experiment.OptionValue;
import habemus.cli.experiment.WorldOption;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.NumberOptions;
import habemus.cli.options.OutputOptions;
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

/** {@code habemus timeout}: how long to wait before giving somebody up. */
public final class TimeoutCommand implements Command {

    private static final String SECTION = "Options:";
    private static final String DEFAULT_LATENCY = "lognormal:20,0.6";
    private static final int DEFAULT_RUNS = 2_000;
    private static final int CURVE_POINTS = 200;

    @Override
    public String name() {
        return "timeout";
    }

    @Override
    public String summary() {
        return "Finds the timeout at which waiting and mistakes together cost least, and tries it as a lease.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "[--latency TIME | --samples FILE] [options]")
                .value(
                        SECTION,
                        "--latency",
                        "TIME",
                        "how long an answer takes: fixed:1, uniform:1..5, exp:3 (mean), lognormal:3,0.5 (median,"
                                + " spread) (standard: " + DEFAULT_LATENCY + ")")
                .value(SECTION, "--samples", "FILE", "the same as it was measured: milliseconds, a number a line")
                .value(SECTION, "--waiting", "COST", "what a millisecond of waiting costs (standard: 1)")
                .value(SECTION, "--mistake", "COST", "what it costs to give up somebody who lives (standard: 1000)")
                .value(
                        SECTION,
                        "--runs",
                        "N",
                        "how many runs of central are simulated (standard: " + DEFAULT_RUNS + ")")
                .value(SECTION, "--seed", "N", "chooses these runs (standard: 1)")
                .value(SECTION, "--svg", "FILE", "draws the costs over the timeout")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .helpOption(SECTION)
                .examples("habemus timeout --latency lognormal:20,0.6 --waiting 1 --mistake 10000");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var timeoutCost = new TimeoutCost(
                delays(parsed),
                NumberOptions.positive(parsed, "--waiting", 1),
                NumberOptions.positive(parsed, "--mistake", 1_000));
        int runs = (int) NumberOptions.upTo(10_000_000, parsed, "--runs", DEFAULT_RUNS);
        long seed = OutputOptions.number(parsed, "--seed", 1);
        var best = timeoutCost.best();
        OutputOptions.text(parsed, "--svg").ifPresent(file -> AtomicOutputFile.write(file, chart(timeoutCost, best)));
        var progressLine = new ProgressLine(terminal);
        var result = best.millis() < 0.001
                ? Optional.<LeaseSimulation.Result>empty()
                : Optional.of(new LeaseSimulation(timeoutCost.delayDistribution(), best.millis())
                        .run(runs, seed, done -> progressLine.show("runs", done, runs)));
        progressLine.clear();
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? json(timeoutCost, best, result) + "\n"
                                : text(parsed, timeoutCost, best, result));
        return ExitCode.OK;
    }

    private static DelayDistribution delays(ParseResult parsed) {
        var samples = OutputOptions.text(parsed, "--samples");
        if (samples.isPresent() && parsed.hasMatchedOption("--latency")) {
            throw CommandException.usage("--latency and --samples contradict each other", "give one of them");
        }
        var latency = OutputOptions.text(parsed, "--latency").orElse(DEFAULT_LATENCY);
        return samples.map(TimeoutCommand::readSamples)
                .orElseGet(() -> DelayDistribution.of(
                        LatencyParser.parse(new OptionValue(WorldOption.LATENCY, latency), latency)));
    }

    private static DelayDistribution readSamples(String name) {
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of(name));
        } catch (IOException | RuntimeException unreadable) {
            throw CommandException.failure("cannot read " + name, "is it there, and is it text?");
        }
        var millis = new ArrayList<Double>();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                millis.add(parseSample(line, name + ", line " + (i + 1)));
            }
        }
        if (millis.isEmpty()) {
            throw CommandException.usage(name + " has no number in it", "write milliseconds, a number a line");
        }
        return new DelayDistribution.Empirical(
                millis.stream().mapToDouble(d -> d).toArray());
    }

    private static double parseSample(String line, String place) {
        try {
            double millis = Double.parseDouble(line);
            if (millis >= 0 && Double.isFinite(millis)) {
                return millis;
            }
        } catch (NumberFormatException unreadable) {
            // said below
        }
        throw CommandException.usage(place + ": '" + line + "' is no time", "write milliseconds, a number a line");
    }

    private static String text(
            ParseResult parsed,
            TimeoutCost timeoutCost,
            TimeoutCost.Evaluation best,
            Optional<LeaseSimulation.Result> result) {
        var text = new TwoColumnText(2, 12);
        var what = OutputOptions.text(parsed, "--samples")
                .map(file -> "the times in " + file)
                .orElse(OutputOptions.text(parsed, "--latency").orElse(DEFAULT_LATENCY));
        text.line("answers take " + what + " ms; a millisecond of waiting costs "
                + NumberOptions.format(timeoutCost.costPerMilli()) + ", a mistake "
                + NumberOptions.format(timeoutCost.costPerMistake()));
        text.line("");
        text.row(
                "wait",
                millis(best.millis()) + ", then " + NumberOptions.format(best.lateProbability())
                        + " of all answers are late");
        text.row(
                "simulated",
                result.map(TimeoutCommand::describe).orElse("not without a lease: it pays not to wait at all"));
        return text + "\n" + table(timeoutCost, best).text();
    }

    private static String describe(LeaseSimulation.Result result) {
        return ("central with this lease: two inside in %,d of %,d runs (%s, %d %% sure: %s to %s);"
                        + " let in the next one %s after a crash")
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
        var textTable = new TextTable("timeout", "ms", "late", "waiting", "mistakes", "costs");
        add(textTable, "best", best);
        for (double part : new double[] {0.5, 0.9, 0.99, 0.999, 0.9999}) {
            var digits = Double.toString(part).substring(2);
            add(
                    textTable,
                    "p" + (digits.length() == 1 ? digits + "0" : digits),
                    timeoutCost.evaluate(timeoutCost.delayDistribution().quantile(part)));
        }
        return textTable;
    }

    private static void add(TextTable textTable, String name, TimeoutCost.Evaluation evaluation) {
        textTable.row(
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
                        "What a timeout costs",
                        new Chart.Axis("timeout in milliseconds", false),
                        new Chart.Axis("cost", false))
                .curve("together", points(evaluations, TimeoutCost.Evaluation::cost))
                .curve("waiting", points(evaluations, TimeoutCost.Evaluation::waitingCost))
                .curve("mistakes", points(evaluations, TimeoutCost.Evaluation::mistakeCost))
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
