package habemus.cli.analyze;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
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
import habemus.lab.quorum.AmnesiaProbability;
import habemus.lab.quorum.AmnesiaSimulation;
import habemus.lab.table.TextTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.ParseResult;

/** {@code habemus quorum}: the probability of two holders if coordinators restart with amnesia. */
public final class QuorumCommand implements Subcommand {

    private static final String SECTION = "Options:";
    private static final long MAX_COORDINATORS = 100_000;
    private static final int DEFAULT_RUNS = 2_000;
    private static final long MAX_RUNS = 10_000_000;
    private static final int MAX_ROWS = 40;
    private static final int BAR_WIDTH = 40;

    @Override
    public String name() {
        return "quorum";
    }

    @Override
    public String summary() {
        return "Computes the probability of two holders with m of n coordinators that forget their grants on restart.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "-n N [-m M] -p P [options]")
                .value(SECTION, "-n", "N", NumberOptions.count(MAX_COORDINATORS), "number of coordinators")
                .value(
                        SECTION,
                        "-m",
                        "M",
                        NumberOptions.count(MAX_COORDINATORS),
                        "number of grants needed (default: a majority, or by --target)")
                .value(
                        SECTION,
                        "-p",
                        "P",
                        NumberOptions.probability(),
                        "probability that a coordinator restarts while the lock is held")
                .value(
                        SECTION,
                        "--target",
                        "P",
                        NumberOptions.probability(),
                        "finds the smallest m with at most this probability of a violation")
                .value(
                        SECTION,
                        "--runs",
                        "N",
                        NumberOptions.count(MAX_RUNS).withDefault(DEFAULT_RUNS),
                        "number of simulated runs")
                .value(SECTION, "--seed", "N", NumberOptions.count().withDefault(1), "seed of the simulated runs")
                .flag(SECTION, "--no-simulate", "computes without a simulation")
                .value(SECTION, "--svg", "FILE", "draws the probability over m")
                .jsonFlag(SECTION)
                .helpOption(SECTION)
                .examples("habemus quorum -n 32 -m 24 -p 0.0001", "habemus quorum -n 5 -p 0.001 --target 1e-9");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        ParsedOptions.require(parsed, "-n", "5");
        ParsedOptions.require(parsed, "-p", "0.001");
        int coordinators = ParsedOptions.getInt(parsed, "-n");
        double restart = ParsedOptions.<Double>get(parsed, "-p");
        var target = ParsedOptions.<Double>find(parsed, "--target");
        var amnesiaProbability = probability(parsed, coordinators, restart, target);
        var estimate = shouldSimulate(parsed, amnesiaProbability)
                ? Optional.of(simulate(parsed, amnesiaProbability, terminal))
                : noEstimate();
        ParsedOptions.text(parsed, "--svg").ifPresent(file -> AtomicOutputFile.write(file, chart(amnesiaProbability)));
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(json(amnesiaProbability, target, estimate));
        } else {
            print(amnesiaProbability, target, estimate, terminal.out());
        }
        return ExitCode.OK;
    }

    private static Optional<AmnesiaSimulation.Estimate> noEstimate() {
        return Optional.empty();
    }

    private static AmnesiaProbability probability(
            ParseResult parsed, int coordinators, double restart, Optional<Double> target) {
        if (target.isPresent() && parsed.hasMatchedOption("-m")) {
            throw CommandException.usage(
                    "-m and --target exclude each other", "leave one of them out: --target computes m");
        }
        int quorum = target.isEmpty()
                ? ParsedOptions.<Long>find(parsed, "-m").map(Math::toIntExact).orElse(coordinators / 2 + 1)
                : AmnesiaProbability.smallestQuorum(coordinators, restart, target.get())
                        .orElseThrow(() -> CommandException.usage(
                                "--target is out of reach with " + coordinators + " coordinators",
                                "use more coordinators, or durable grants"));
        try {
            return new AmnesiaProbability(coordinators, quorum, restart);
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(
                    String.valueOf(wrong.getMessage()),
                    "use -m from " + (coordinators / 2 + 1) + " to " + coordinators);
        }
    }

    private static boolean shouldSimulate(ParseResult parsed, AmnesiaProbability amnesiaProbability) {
        return !parsed.hasMatchedOption("--no-simulate")
                && amnesiaProbability.coordinators() <= AmnesiaSimulation.MAX_COORDINATORS;
    }

    private static AmnesiaSimulation.Estimate simulate(
            ParseResult parsed, AmnesiaProbability amnesiaProbability, Terminal terminal) {
        int runs = ParsedOptions.getInt(parsed, "--runs");
        var progress = new ProgressLine(terminal);
        var estimate = new AmnesiaSimulation(amnesiaProbability)
                .run(runs, ParsedOptions.<Long>get(parsed, "--seed"), done -> progress.show("runs", done, runs));
        progress.clear();
        return estimate;
    }

    private static void print(
            AmnesiaProbability amnesiaProbability,
            Optional<Double> target,
            Optional<AmnesiaSimulation.Estimate> estimate,
            PrintStream out) {
        var text = new TwoColumnText(2, 12);
        text.line(amnesiaProbability.quorum() + " of " + amnesiaProbability.coordinators()
                + " coordinators, each restarts with probability "
                + NumberOptions.format(amnesiaProbability.restartProbability()) + " while the lock is held");
        text.line("");
        target.ifPresent(most ->
                text.row("smallest m", amnesiaProbability.quorum() + ", for at most " + NumberOptions.format(most)));
        text.row(
                "two holders",
                NumberOptions.formatPowerOfTen(amnesiaProbability.log10Probability()) + ", if "
                        + amnesiaProbability.overlap() + " of these " + amnesiaProbability.quorum()
                        + " forget their grant");
        estimate.ifPresent(estimated -> text.row("simulated", describe(estimated)));
        if (estimate.isEmpty() && amnesiaProbability.coordinators() > AmnesiaSimulation.MAX_COORDINATORS) {
            text.row("simulated", "not with more than " + AmnesiaSimulation.MAX_COORDINATORS + " coordinators");
        }
        out.println(text);
        out.print(table(amnesiaProbability).text());
    }

    private static String describe(AmnesiaSimulation.Estimate estimated) {
        return "%.3g, %d %% confidence: %.3g to %.3g (%,d weighted runs of the algorithm, %,d of them violated)"
                .formatted(
                        estimated.probability(),
                        Math.round(100 * AmnesiaSimulation.CONFIDENCE),
                        estimated.low(),
                        estimated.high(),
                        estimated.runs(),
                        estimated.violatedRuns());
    }

    /** As many quorum sizes as fit a screen. */
    private static TextTable table(AmnesiaProbability amnesiaProbability) {
        var table = new TextTable("m", "two holders", "");
        var quorums = quorums(amnesiaProbability);
        double least = new AmnesiaProbability(
                        amnesiaProbability.coordinators(),
                        amnesiaProbability.coordinators(),
                        amnesiaProbability.restartProbability())
                .log10Probability();
        int every = (quorums.size() + MAX_ROWS - 1) / MAX_ROWS;
        for (int quorum : quorums) {
            var probability = new AmnesiaProbability(
                    amnesiaProbability.coordinators(), quorum, amnesiaProbability.restartProbability());
            if ((quorum - quorums.getFirst()) % every == 0 || quorum == amnesiaProbability.quorum()) {
                int filled = least == 0 || Double.isInfinite(least)
                        ? 0
                        : (int) Math.round(BAR_WIDTH * (1 - probability.log10Probability() / least));
                table.row(
                        quorum,
                        NumberOptions.formatPowerOfTen(probability.log10Probability()),
                        "█".repeat(filled) + (quorum == amnesiaProbability.quorum() ? " ◀" : ""));
            }
        }
        return table;
    }

    private static List<Integer> quorums(AmnesiaProbability amnesiaProbability) {
        return IntStream.rangeClosed(amnesiaProbability.coordinators() / 2 + 1, amnesiaProbability.coordinators())
                .boxed()
                .toList();
    }

    private static String chart(AmnesiaProbability amnesiaProbability) {
        var points = quorums(amnesiaProbability).stream()
                .map(quorum -> new Chart.Point(
                        quorum,
                        new AmnesiaProbability(
                                        amnesiaProbability.coordinators(),
                                        quorum,
                                        amnesiaProbability.restartProbability())
                                .log10Probability()))
                .filter(point -> Double.isFinite(point.y()))
                .toList();
        var chart = new Chart(
                        "Two holders: m of " + amnesiaProbability.coordinators()
                                + " coordinators, restarts with probability "
                                + NumberOptions.format(amnesiaProbability.restartProbability()),
                        new Chart.Axis("m, the number of grants needed", false),
                        new Chart.Axis("probability of two holders", true))
                .curve("computed", points);
        return Double.isFinite(amnesiaProbability.log10Probability())
                ? chart.mark(
                                new Chart.Point(amnesiaProbability.quorum(), amnesiaProbability.log10Probability()),
                                "m = " + amnesiaProbability.quorum() + ": "
                                        + NumberOptions.formatPowerOfTen(amnesiaProbability.log10Probability()))
                        .draw()
                : chart.draw();
    }

    private static JsonObject json(
            AmnesiaProbability amnesiaProbability,
            Optional<Double> target,
            Optional<AmnesiaSimulation.Estimate> estimate) {
        var json = new JsonObject();
        json.addProperty("n", amnesiaProbability.coordinators());
        json.addProperty("m", amnesiaProbability.quorum());
        json.addProperty("p", amnesiaProbability.restartProbability());
        target.ifPresent(most -> json.addProperty("target", most));
        json.addProperty("violation", amnesiaProbability.violationProbability());
        if (Double.isFinite(amnesiaProbability.log10Probability())) {
            json.addProperty("log10Violation", amnesiaProbability.log10Probability());
        }
        estimate.ifPresent(estimated -> {
            var simulated = new JsonObject();
            simulated.addProperty("violation", estimated.probability());
            simulated.addProperty("low", estimated.low());
            simulated.addProperty("high", estimated.high());
            simulated.addProperty("confidence", AmnesiaSimulation.CONFIDENCE);
            simulated.addProperty("runs", estimated.runs());
            simulated.addProperty("violated", estimated.violatedRuns());
            json.add("simulated", simulated);
        });
        var rows = new JsonArray();
        for (int quorum : quorums(amnesiaProbability)
                .subList(0, Math.min(1_000, quorums(amnesiaProbability).size()))) {
            double log10 = new AmnesiaProbability(
                            amnesiaProbability.coordinators(), quorum, amnesiaProbability.restartProbability())
                    .log10Probability();
            var row = new JsonObject();
            row.addProperty("m", quorum);
            row.addProperty("violation", Math.pow(10, log10));
            if (Double.isFinite(log10)) {
                row.addProperty("log10Violation", log10);
            }
            rows.add(row);
        }
        json.add("byQuorum", rows);
        return json;
    }
}
