package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.picture.Chart;
import habemus.lab.quorum.Odds;
import habemus.lab.quorum.Trials;
import habemus.lab.table.Table;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import picocli.CommandLine.ParseResult;

/** {@code habemus quorum}: how likely two get in because coordinators forget. */
final class QuorumCommand implements Command {

    private static final String SECTION = "Options:";
    private static final long MOST = 100_000;
    private static final int RUNS = 2_000;
    private static final int SHOWN = 40;
    private static final int BAR = 40;

    @Override
    public String name() {
        return "quorum";
    }

    @Override
    public String summary() {
        return "Tells how likely two get in with m of n coordinators, if these restart and forget their grants.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "-n N [-m M] -p P [options]")
                .value(SECTION, "-n", "N", "how many coordinators there are")
                .value(
                        SECTION,
                        "-m",
                        "M",
                        "how many grants it takes (standard: just more than half, or as --target says)")
                .value(SECTION, "-p", "P", "how likely one given coordinator restarts while somebody is inside")
                .value(SECTION, "--target", "P", "finds the smallest m with which a violation is at most so likely")
                .value(SECTION, "--runs", "N", "how many runs of the algorithm are simulated (standard: " + RUNS + ")")
                .value(SECTION, "--seed", "N", "chooses these runs (standard: 1)")
                .flag(SECTION, "--no-simulate", "only computes")
                .value(SECTION, "--svg", "FILE", "draws the probability over m")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION)
                .example("habemus quorum -n 32 -m 24 -p 0.0001", "habemus quorum -n 5 -p 0.001 --target 1e-9");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        Numbers.require(parsed, "-n", "5");
        Numbers.require(parsed, "-p", "0.001");
        int coordinators = (int) Numbers.upTo(MOST, parsed, "-n", 5);
        double restart = Numbers.probability(parsed, "-p").orElseThrow();
        var target = Numbers.probability(parsed, "--target");
        var odds = odds(parsed, coordinators, restart, target);
        var estimate = simulates(parsed, odds) ? Optional.of(simulate(parsed, odds, terminal)) : noEstimate();
        Output.text(parsed, "--svg").ifPresent(file -> WholeFile.write(file, chart(odds)));
        if (parsed.hasMatchedOption("--json")) {
            terminal.out().println(json(odds, target, estimate));
        } else {
            print(odds, target, estimate, terminal.out());
        }
        return ExitCode.DONE;
    }

    private static Optional<Trials.Estimate> noEstimate() {
        return Optional.empty();
    }

    private static Odds odds(ParseResult parsed, int coordinators, double restart, Optional<Double> target) {
        if (target.isPresent() && parsed.hasMatchedOption("-m")) {
            throw Refusal.wrong("-m and --target contradict each other", "--target finds m; leave one of them out");
        }
        int quorum = target.isEmpty()
                ? (int) Numbers.upTo(MOST, parsed, "-m", coordinators / 2 + 1)
                : Odds.smallestQuorum(coordinators, restart, target.get())
                        .orElseThrow(() -> Refusal.wrong(
                                "not even all " + coordinators + " coordinators make it so unlikely",
                                "take more of them, or let their grants be durable"));
        try {
            return new Odds(coordinators, quorum, restart);
        } catch (IllegalArgumentException wrong) {
            throw Refusal.wrong(
                    String.valueOf(wrong.getMessage()),
                    "give -m from " + (coordinators / 2 + 1) + " to " + coordinators);
        }
    }

    private static boolean simulates(ParseResult parsed, Odds odds) {
        return !parsed.hasMatchedOption("--no-simulate") && odds.coordinators() <= Trials.COORDINATORS_MAX;
    }

    private static Trials.Estimate simulate(ParseResult parsed, Odds odds, Terminal terminal) {
        int runs = (int) Numbers.upTo(10_000_000, parsed, "--runs", RUNS);
        var progress = new Progress(terminal);
        var estimate = new Trials(odds)
                .run(runs, Output.number(parsed, "--seed", 1), done -> progress.show("runs", done, runs));
        progress.clear();
        return estimate;
    }

    private static void print(Odds odds, Optional<Double> target, Optional<Trials.Estimate> estimate, PrintStream out) {
        var text = new Columns(2, 12);
        text.line(odds.quorum() + " of " + odds.coordinators() + " coordinators, each restarts with probability "
                + Numbers.text(odds.restart()) + " while somebody is inside");
        text.line("");
        target.ifPresent(most -> text.row("smallest m", odds.quorum() + ", for at most " + Numbers.text(most)));
        text.row(
                "two inside",
                Numbers.power(odds.log10()) + ", if " + odds.overlap() + " of these " + odds.quorum() + " forget");
        estimate.ifPresent(seen -> text.row("simulated", words(seen)));
        if (estimate.isEmpty() && odds.coordinators() > Trials.COORDINATORS_MAX) {
            text.row("simulated", "not with more than " + Trials.COORDINATORS_MAX + " coordinators");
        }
        out.println(text);
        out.print(table(odds).text());
    }

    private static String words(Trials.Estimate seen) {
        return "%.3g, %d %% sure: %.3g to %.3g (%,d weighted runs of the algorithm, %,d of them violated)"
                .formatted(
                        seen.violation(),
                        Math.round(100 * Trials.CONFIDENCE),
                        seen.low(),
                        seen.high(),
                        seen.runs(),
                        seen.violated());
    }

    /** As many quorums as fit a screen. */
    private static Table table(Odds odds) {
        var table = new Table("m", "two inside", "");
        var quorums = quorums(odds);
        double least = new Odds(odds.coordinators(), odds.coordinators(), odds.restart()).log10();
        int every = (quorums.size() + SHOWN - 1) / SHOWN;
        for (int quorum : quorums) {
            var one = new Odds(odds.coordinators(), quorum, odds.restart());
            if ((quorum - quorums.getFirst()) % every == 0 || quorum == odds.quorum()) {
                int filled =
                        least == 0 || Double.isInfinite(least) ? 0 : (int) Math.round(BAR * (1 - one.log10() / least));
                table.row(
                        quorum, Numbers.power(one.log10()), "█".repeat(filled) + (quorum == odds.quorum() ? " ◀" : ""));
            }
        }
        return table;
    }

    private static List<Integer> quorums(Odds odds) {
        return IntStream.rangeClosed(odds.coordinators() / 2 + 1, odds.coordinators())
                .boxed()
                .toList();
    }

    private static String chart(Odds odds) {
        var points = quorums(odds).stream()
                .map(quorum -> new Chart.Point(quorum, new Odds(odds.coordinators(), quorum, odds.restart()).log10()))
                .filter(point -> Double.isFinite(point.y()))
                .toList();
        var chart = new Chart(
                        "Two inside: m of " + odds.coordinators() + " coordinators, restarts with probability "
                                + Numbers.text(odds.restart()),
                        new Chart.Axis("m, the grants that it takes", false),
                        new Chart.Axis("probability that two are inside", true))
                .curve("computed", points);
        return Double.isFinite(odds.log10())
                ? chart.mark(
                                new Chart.Point(odds.quorum(), odds.log10()),
                                "m = " + odds.quorum() + ": " + Numbers.power(odds.log10()))
                        .draw()
                : chart.draw();
    }

    private static JsonObject json(Odds odds, Optional<Double> target, Optional<Trials.Estimate> estimate) {
        var json = new JsonObject();
        json.addProperty("n", odds.coordinators());
        json.addProperty("m", odds.quorum());
        json.addProperty("p", odds.restart());
        target.ifPresent(most -> json.addProperty("target", most));
        json.addProperty("violation", odds.violation());
        if (Double.isFinite(odds.log10())) {
            json.addProperty("log10Violation", odds.log10());
        }
        estimate.ifPresent(seen -> {
            var simulated = new JsonObject();
            simulated.addProperty("violation", seen.violation());
            simulated.addProperty("low", seen.low());
            simulated.addProperty("high", seen.high());
            simulated.addProperty("confidence", Trials.CONFIDENCE);
            simulated.addProperty("runs", seen.runs());
            simulated.addProperty("violated", seen.violated());
            json.add("simulated", simulated);
        });
        var rows = new JsonArray();
        for (int quorum : quorums(odds).subList(0, Math.min(1_000, quorums(odds).size()))) {
            double log10 = new Odds(odds.coordinators(), quorum, odds.restart()).log10();
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
