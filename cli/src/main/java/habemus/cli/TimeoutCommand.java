package habemus.cli;

import com.google.gson.JsonObject;
import habemus.lab.picture.Chart;
import habemus.lab.table.Table;
import habemus.lab.timeout.Delays;
import habemus.lab.timeout.LeaseTrials;
import habemus.lab.timeout.Tradeoff;
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
final class TimeoutCommand implements Command {

    private static final String SECTION = "Options:";
    private static final String LATENCY = "lognormal:20,0.6";
    private static final int RUNS = 2_000;
    private static final int CURVE = 200;

    @Override
    public String name() {
        return "timeout";
    }

    @Override
    public String summary() {
        return "Finds the timeout at which waiting and mistakes together cost least, and tries it as a lease.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "[--latency TIME | --samples FILE] [options]")
                .value(
                        SECTION,
                        "--latency",
                        "TIME",
                        "how long an answer takes: fixed:1, uniform:1..5, exp:3 (mean), lognormal:3,0.5 (median,"
                                + " spread) (standard: " + LATENCY + ")")
                .value(SECTION, "--samples", "FILE", "the same as it was measured: milliseconds, a number a line")
                .value(SECTION, "--waiting", "COST", "what a millisecond of waiting costs (standard: 1)")
                .value(SECTION, "--mistake", "COST", "what it costs to give up somebody who lives (standard: 1000)")
                .value(SECTION, "--runs", "N", "how many runs of central are simulated (standard: " + RUNS + ")")
                .value(SECTION, "--seed", "N", "chooses these runs (standard: 1)")
                .value(SECTION, "--svg", "FILE", "draws the costs over the timeout")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION)
                .example("habemus timeout --latency lognormal:20,0.6 --waiting 1 --mistake 10000");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var tradeoff = new Tradeoff(
                delays(parsed), Numbers.positive(parsed, "--waiting", 1), Numbers.positive(parsed, "--mistake", 1_000));
        int runs = (int) Numbers.upTo(10_000_000, parsed, "--runs", RUNS);
        long seed = Output.number(parsed, "--seed", 1);
        var best = tradeoff.best();
        Output.text(parsed, "--svg").ifPresent(file -> WholeFile.write(file, chart(tradeoff, best)));
        var progress = new Progress(terminal);
        var seen = best.millis() < 0.001
                ? Optional.<LeaseTrials.Seen>empty()
                : Optional.of(new LeaseTrials(tradeoff.delays(), best.millis())
                        .run(runs, seed, done -> progress.show("runs", done, runs)));
        progress.clear();
        terminal.out()
                .print(
                        parsed.hasMatchedOption("--json")
                                ? json(tradeoff, best, seen) + "\n"
                                : text(parsed, tradeoff, best, seen));
        return ExitCode.DONE;
    }

    private static Delays delays(ParseResult parsed) {
        var samples = Output.text(parsed, "--samples");
        if (samples.isPresent() && parsed.hasMatchedOption("--latency")) {
            throw Refusal.wrong("--latency and --samples contradict each other", "give one of them");
        }
        var latency = Output.text(parsed, "--latency").orElse(LATENCY);
        return samples.map(TimeoutCommand::measured)
                .orElseGet(() -> Delays.of(LatencyReader.read(new Given(WorldOption.LATENCY, latency), latency)));
    }

    private static Delays measured(String name) {
        List<String> lines;
        try {
            lines = Files.readAllLines(Path.of(name));
        } catch (IOException | RuntimeException unreadable) {
            throw Refusal.cannot("cannot read " + name, "is it there, and is it text?");
        }
        var millis = new ArrayList<Double>();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                millis.add(read(line, name + ", line " + (i + 1)));
            }
        }
        if (millis.isEmpty()) {
            throw Refusal.wrong(name + " has no number in it", "write milliseconds, a number a line");
        }
        return new Delays.Measured(millis.stream().mapToDouble(d -> d).toArray());
    }

    private static double read(String line, String place) {
        try {
            double millis = Double.parseDouble(line);
            if (millis >= 0 && Double.isFinite(millis)) {
                return millis;
            }
        } catch (NumberFormatException unreadable) {
            // said below
        }
        throw Refusal.wrong(place + ": '" + line + "' is no time", "write milliseconds, a number a line");
    }

    private static String text(
            ParseResult parsed, Tradeoff tradeoff, Tradeoff.Choice best, Optional<LeaseTrials.Seen> seen) {
        var text = new Columns(2, 12);
        var what = Output.text(parsed, "--samples")
                .map(file -> "the times in " + file)
                .orElse(Output.text(parsed, "--latency").orElse(LATENCY));
        text.line("answers take " + what + " ms; a millisecond of waiting costs " + Numbers.text(tradeoff.waiting())
                + ", a mistake " + Numbers.text(tradeoff.mistake()));
        text.line("");
        text.row("wait", millis(best.millis()) + ", then " + Numbers.text(best.later()) + " of all answers are late");
        text.row(
                "simulated", seen.map(TimeoutCommand::words).orElse("not without a lease: it pays not to wait at all"));
        return text + "\n" + table(tradeoff, best).text();
    }

    private static String words(LeaseTrials.Seen seen) {
        return ("central with this lease: two inside in %,d of %,d runs (%s, %d %% sure: %s to %s);"
                        + " let in the next one %s after a crash")
                .formatted(
                        seen.mistakes(),
                        seen.runs(),
                        Numbers.text(seen.part()),
                        Math.round(100 * LeaseTrials.CONFIDENCE),
                        Numbers.text(seen.low()),
                        Numbers.text(seen.high()),
                        millis(seen.recovery()));
    }

    private static String millis(double time) {
        return String.format(Locale.ROOT, "%.3f ms", time);
    }

    private static Table table(Tradeoff tradeoff, Tradeoff.Choice best) {
        var table = new Table("timeout", "ms", "late", "waiting", "mistakes", "costs");
        add(table, "best", best);
        for (double part : new double[] {0.5, 0.9, 0.99, 0.999, 0.9999}) {
            var digits = Double.toString(part).substring(2);
            add(
                    table,
                    "p" + (digits.length() == 1 ? digits + "0" : digits),
                    tradeoff.at(tradeoff.delays().quantile(part)));
        }
        return table;
    }

    private static void add(Table table, String name, Tradeoff.Choice choice) {
        table.row(
                name,
                String.format(Locale.ROOT, "%.3f", choice.millis()),
                Numbers.text(choice.later()),
                Numbers.text(choice.waiting()),
                Numbers.text(choice.mistakes()),
                Numbers.text(choice.cost()));
    }

    private static String chart(Tradeoff tradeoff, Tradeoff.Choice best) {
        double end = Math.max(2 * best.millis(), tradeoff.delays().quantile(0.99));
        var choices = IntStream.rangeClosed(0, CURVE)
                .mapToObj(i -> tradeoff.at(end * i / CURVE))
                .toList();
        return new Chart(
                        "What a timeout costs",
                        new Chart.Axis("timeout in milliseconds", false),
                        new Chart.Axis("cost", false))
                .curve("together", points(choices, Tradeoff.Choice::cost))
                .curve("waiting", points(choices, Tradeoff.Choice::waiting))
                .curve("mistakes", points(choices, Tradeoff.Choice::mistakes))
                .mark(new Chart.Point(best.millis(), best.cost()), millis(best.millis()))
                .draw();
    }

    private static List<Chart.Point> points(List<Tradeoff.Choice> choices, ToDoubleFunction<Tradeoff.Choice> what) {
        return choices.stream()
                .map(choice -> new Chart.Point(choice.millis(), what.applyAsDouble(choice)))
                .toList();
    }

    private static JsonObject json(Tradeoff tradeoff, Tradeoff.Choice best, Optional<LeaseTrials.Seen> seen) {
        var json = new JsonObject();
        json.addProperty("waiting", tradeoff.waiting());
        json.addProperty("mistake", tradeoff.mistake());
        json.addProperty("timeout", best.millis());
        json.addProperty("late", best.later());
        json.addProperty("cost", best.cost());
        seen.ifPresent(trials -> {
            var simulated = new JsonObject();
            simulated.addProperty("runs", trials.runs());
            simulated.addProperty("mistakes", trials.mistakes());
            simulated.addProperty("late", trials.part());
            simulated.addProperty("low", trials.low());
            simulated.addProperty("high", trials.high());
            simulated.addProperty("confidence", LeaseTrials.CONFIDENCE);
            simulated.addProperty("recovery", trials.recovery());
            json.add("simulated", simulated);
        });
        return json;
    }
}
