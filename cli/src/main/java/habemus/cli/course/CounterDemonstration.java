package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.ParsedOptions;
import habemus.cli.terminal.ProgressLine;
import habemus.course.threads.CounterBounds;
import habemus.course.threads.CounterRace;
import habemus.course.threads.CounterVariant;
import habemus.lab.command.NumberOptions;
import habemus.lab.table.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** {@code habemus threads counter}: lost updates, beside the final values that the checker proves. */
final class CounterDemonstration implements ThreadDemonstration {

    private static final int MAX_THREADS = 1_000;
    private static final long MAX_ROUNDS = 1_000_000;
    private static final int MAX_ATTEMPTS = 10_000;
    private static final int CURE_ATTEMPTS = 3;
    private static final Duration MAX_TIME = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "counter";
    }

    @Override
    public String claim() {
        return "n++ and a volatile n++ lose updates: another thread writes between their read and their write.";
    }

    @Override
    public CommandSyntax addOptions(CommandSyntax syntax) {
        syntax.value(SECTION, "--threads", "K", NumberOptions.count(MAX_THREADS).withDefault(4), "number of threads")
                .value(
                        SECTION,
                        "--rounds",
                        "R",
                        NumberOptions.count(MAX_ROUNDS).withDefault(1_000_000),
                        "increments of each thread");
        return ThreadDemonstration.addKind(syntax, "both")
                .examples(
                        "habemus threads counter", "habemus threads counter --threads 10 --rounds 20 --kind platform");
    }

    @Override
    public Finding run(ParseResult parsed, ProgressLine progress) {
        int threads = ParsedOptions.getInt(parsed, "--threads");
        int rounds = ParsedOptions.getInt(parsed, "--rounds");
        var results = new ArrayList<CounterRace.Result>();
        for (var kind : ThreadDemonstration.kinds(parsed)) {
            var race = new CounterRace(kind, threads, rounds);
            for (var variant : CounterVariant.values()) {
                progress.showText(variant.label() + ", " + kind + " threads");
                results.add(race.runUntilLoss(variant, variant.isCorrect() ? CURE_ATTEMPTS : MAX_ATTEMPTS, MAX_TIME));
            }
        }
        var bounds = CounterBounds.check(CounterVariant.PLAIN.checkedVariant(), threads, rounds);
        boolean isAsClaimed =
                results.stream().allMatch(result -> result.isWithin(CounterBounds.smallest(threads, rounds)));
        return new Finding(
                table(results, threads), notes(results, bounds, rounds), json(results, bounds, rounds), isAsClaimed);
    }

    private static String table(List<CounterRace.Result> results, int threads) {
        var table = new TextTable("counter", "threads", "increments", "final value", "lost", "attempts");
        results.forEach(result -> table.row(
                result.variant().label(),
                threads + " " + result.kind(),
                format(result.increments()),
                format(result.value()),
                format(result.lost()),
                format(result.attempts())));
        return table.text();
    }

    private static String format(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static Map<String, String> notes(List<CounterRace.Result> results, CounterBounds bounds, int rounds) {
        Map<String, String> notes = new LinkedHashMap<>();
        notes.put(
                "attempts",
                "a counter that can lose updates runs until it does, at most " + format(MAX_ATTEMPTS) + " times and "
                        + MAX_TIME.toSeconds() + " s; a cure runs " + CURE_ATTEMPTS + " times");
        if (results.stream().anyMatch(result -> !result.variant().isCorrect() && result.lost() == 0)) {
            notes.put(
                    "no loss",
                    "a broken counter that lost nothing proves nothing: its threads rarely ran at the same time");
        }
        notes.put(
                "checked",
                "with " + bounds.threads() + " threads and " + bounds.rounds() + " rounds n++ ends with "
                        + bounds.values().getFirst() + " to " + bounds.values().getLast() + ", no other value: "
                        + bounds.command());
        long increments = results.getFirst().increments();
        int threads = Math.toIntExact(increments / rounds);
        if (threads > 1 && rounds > 1 && !bounds.covers(threads, rounds)) {
            notes.put(
                    "proven",
                    "with " + threads + " threads and " + format(rounds) + " rounds no run ends below "
                            + CounterBounds.smallest(threads, rounds) + ", and one ends there: " + CounterBounds.PROOF
                            + "; no run ends above " + format(increments));
        }
        return notes;
    }

    private static JsonObject json(List<CounterRace.Result> results, CounterBounds bounds, int rounds) {
        var rows = new JsonArray();
        for (var result : results) {
            var row = new JsonObject();
            row.addProperty("counter", result.variant().label());
            row.addProperty("kind", result.kind().toString());
            row.addProperty("increments", result.increments());
            row.addProperty("value", result.value());
            row.addProperty("lost", result.lost());
            row.addProperty("attempts", result.attempts());
            rows.add(row);
        }
        var json = new JsonObject();
        json.addProperty("rounds", rounds);
        json.add("counters", rows);
        json.add("checked", ThreadDemonstration.json(bounds));
        json.addProperty("checker", bounds.command());
        return json;
    }
}
