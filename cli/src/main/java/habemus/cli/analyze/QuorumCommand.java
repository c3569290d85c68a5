package habemus.cli.analyze;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
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
import habemus.lab.quorum.AmnesiaProbability;
import habemus.lab.quorum.AmnesiaSimulation;
import habemus.lab.table.TextTable;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.ParseResult;

/** {@code habemus quorum}: how likely two get in because coordinators forget. */
public final class QuorumCommand implements Command {

    private static final String SECTION = "Options:";
    private static final long MAX_COORDINATORS = 100_000;
    private static final int DEFAULT_RUNS = 2_000;
    private static final int MAX_ROWS = 40;
    private static final int BAR_WIDTH = 40;

    @Override
    public String name() {
        return "quorum";
    }

    @Override
    public String summary() {
        return "Tells how likely two get in with m of n coordinators, if these restart and forget their grants.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        return new CommandSyntax(this, "-n N [-m M] -p P [options]")
                .value(SECTION, "-n", "N", "how many coordinators there are")
                .value(
                        SECTION,
                        "-m",
                        "M",
                        "how many grants it takes (standard: just more than half, or as --target says)")
                .value(SECTION, "-p", "P", "how likely one given coordinator restarts while somebody is inside")
                .value(SECTION, "--target", "P", "finds the smallest m with which a violation is at most so likely")
                .value(
                        SECTION,
                        "--runs",
                        "N",
                        "how many runs of the algorithm are simulated (standard: " + DEFAULT_RUNS + ")")
                .value(SECTION, "--seed", "N", "chooses these runs (standard: 1)")
                .flag(SECTION, "--no-simulate", "only computes")
                .value(SECTION, "--svg", "FILE", "draws the probability over m")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .helpOption(SECTION)
                .examples("habemus quorum -n 32 -m 24 -p 0.0001", "habemus quorum -n 5 -p 0.001 --target 1e-9");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        NumberOptions.require(parsed, "-n", "5");
        NumberOptions.require(parsed, "-p", "0.001");
        int coordinators = (int) NumberOptions.upTo(MAX_COORDINATORS, parsed, "-n", 5);
        double restart = NumberOptions.probability(parsed, "-p").orElseThrow();
        var target = NumberOptions.probability(parsed, "--target");
        var amnesiaProbability = odds(parsed, coordinators, restart, target);
        var estimate = shouldSimulate(parsed, amnesiaProbability)
                ? Optional.of(simulate(parsed, amnesiaProbability, terminal))
                : noEstimate();
        OutputOptions.text(parsed, "--svg").ifPresent(file -> AtomicOutputFile.write(file, chart(amnesiaProbability)));
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

    private static AmnesiaProbability odds(
            ParseResult parsed, int coordinators, double restart, Optional<Double> target) {
        if (target.isPresent() && parsed.hasMatchedOption("-m")) {
            throw CommandException.usage(
                    "-m and --target contradict each other", "--target finds m; leave one of them out");
        }
        int quorum = target.isEmpty()
                ? (int) NumberOptions.upTo(MAX_COORDINATORS, parsed, "-m", coordinators / 2 + 1)
                : AmnesiaProbability.smallestQuorum(coordinators, restart, target.get())
                        .orElseThrow(() -> CommandException.usage(
                                "not even all " + coordinators + " coordinators make it so unlikely",
                                "take more of them, or let their grants be durable"));
        try {
            return new AmnesiaProbability(coordinators, quorum, restart);
        } catch (IllegalArgumentException wrong) {
            throw CommandException.usage(
                    String.valueOf(wrong.getMessage()),
                    "give -m from " + (coordinators / 2 + 1) + " to " + coordinators);
        }
    }

    private static boolean shouldSimulate(ParseResult parsed, AmnesiaProbability amnesiaProbability) {
        return !parsed.hasMatchedOption("--no-simulate")
                && amnesiaProbability.coordinators() <= AmnesiaSimulation.MAX_COORDINATORS;
    }

    private static AmnesiaSimulation.Estimate simulate(
            ParseResult parsed, AmnesiaProbability amnesiaProbability, Terminal terminal) {
        int runs = (int) NumberOptions.upTo(10_000_000, parsed, "--runs", DEFAULT_RUNS);
        var progressLine = new ProgressLine(terminal);
        var estimate = new AmnesiaSimulation(amnesiaProbability)
                .run(runs, OutputOptions.number(parsed, "--seed", 1), done -> progressLine.show("runs", done, runs));
        progressLine.clear();
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
                + NumberOptions.format(amnesiaProbability.restartProbability()) + " while somebody is inside");
        text.line("");
        target.ifPresent(most ->
                text.row("smallest m", amnesiaProbability.quorum() + ", for at most " + NumberOptions.format(most)));
        text.row(
                "two inside",
                NumberOptions.formatPowerOfTen(amnesiaProbability.log10Probability()) + ", if "
                        + amnesiaProbability.overlap() + " of these " + amnesiaProbability.quorum() + " forget");
        estimate.ifPresent(seen -> text.row("simulated", describe(seen)));
        if (estimate.isEmpty() && amnesiaProbability.coordinators() > AmnesiaSimulation.MAX_COORDINATORS) {
            text.row("simulated", "not with more than " + AmnesiaSimulation.MAX_COORDINATORS + " coordinators");
        }
        out.println(text);
        out.print(table(amnesiaProbability).text());
    }

    private static String describe(AmnesiaSimulation.Estimate seen) {
        return "%.3g, %d %% sure: %.3g to %.3g (%,d weighted runs of the algorithm, %,d of them violated)"
                .formatted(
                        seen.probability(),
                        Math.round(100 * AmnesiaSimulation.CONFIDENCE),
                        seen.low(),
                        seen.high(),
                        seen.runs(),
                        seen.violatedRuns());
    }

    /** As many quorums as fit a screen. */
    private static TextTable table(AmnesiaProbability amnesiaProbability) {
        var textTable = new TextTable("m", "two inside", "");
        var quorums = quorums(amnesiaProbability);
        double least = new AmnesiaProbability(
                        amnesiaProbability.coordinators(),
                        amnesiaProbability.coordinators(),
                        amnesiaProbability.restartProbability())
                .log10Probability();
        int every = (quorums.size() + MAX_ROWS - 1) / MAX_ROWS;
        for (int quorum : quorums) {
            var one = new AmnesiaProbability(
                    amnesiaProbability.coordinators(), quorum, amnesiaProbability.restartProbability());
            if ((quorum - quorums.getFirst()) % every == 0 || quorum == amnesiaProbability.quorum()) {
                int filled = least == 0 || Double.isInfinite(least)
                        ? 0
                        : (int) Math.round(BAR_WIDTH * (1 - one.log10Probability() / least));
                textTable.row(
                        quorum,
                        NumberOptions.formatPowerOfTen(one.log10Probability()),
                        "█".repeat(filled) + (quorum == amnesiaProbability.quorum() ? " ◀" : ""));
            }
        }
        return textTable;
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
                        "Two inside: m of " + amnesiaProbability.coordinators()
                                + " coordinators, restarts with probability "
                                + NumberOptions.format(amnesiaProbability.restartProbability()),
                        new Chart.Axis("m, the grants that it takes", false),
                        new Chart.Axis("probability that two are inside", true))
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
        estimate.ifPresent(seen -> {
            var simulated = new JsonObject();
            simulated.addProperty("violation", seen.probability());
            simulated.addProperty("low", seen.low());
            simulated.addProperty("high", seen.high());
            simulated.addProperty("confidence", AmnesiaSimulation.CONFIDENCE);
            simulated.addProperty("runs", seen.runs());
            simulated.addProperty("violated", seen.violatedRuns());
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
