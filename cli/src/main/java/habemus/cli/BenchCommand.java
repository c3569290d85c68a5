package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.bench.Measurement;
import habemus.lab.bench.SimulatorBench;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.ParseResult;

/** {@code habemus bench}: how fast the laboratory is, on this machine, now. */
final class BenchCommand implements Command {

    private static final String SECTION = "Options:";
    private static final long ROUNDS_MAX = 1_000;
    private static final String BEGIN = "<!-- begin: habemus bench -->";
    private static final String END = "<!-- end: habemus bench -->";

    @Override
    public String name() {
        return "bench";
    }

    @Override
    public String summary() {
        return "Measures the simulator: events a second with 1,000 messages under way, and with 1,000,000 nodes.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "[options]")
                .value(SECTION, "--rounds", "N", "how often each is run; the best counts (standard: 5)")
                .value(SECTION, "--seed", "N", "the seed of every round (standard: 1)")
                .value(SECTION, "--write", "FILE", "also puts the table into FILE, between its two bench marks")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION)
                .example("habemus bench --write docs/benchmarks.md");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        int rounds = (int) Math.min(ROUNDS_MAX, Output.number(parsed, "--rounds", 5));
        long seed = Output.number(parsed, "--seed", 1);
        var file = Output.text(parsed, "--write");
        file.ifPresent(BenchCommand::marked); // complains before anything is run
        var progress = new Progress(terminal);
        var bench = new SimulatorBench(progress::show);
        var measured = bench.run(rounds, seed);
        progress.clear();
        var table = table(measured, rounds);
        file.ifPresent(name -> put(table, name));
        terminal.out().print(parsed.hasMatchedOption("--json") ? json(measured) + "\n" : table);
        return ExitCode.DONE;
    }

    private static String table(List<Measurement> measured, int rounds) {
        var text = new StringBuilder();
        text.append("| what | asked | events per CPU second | events | seconds | heap at most | remark |\n");
        text.append("|---|---|---|---|---|---|---|\n");
        for (Measurement one : measured) {
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %s | %.1f M | %,d | %.1f | %,d MB | %s |%n",
                    one.what(),
                    one.goal(),
                    one.eventsPerCpuSecond() / 1e6,
                    one.events(),
                    one.seconds(),
                    one.heapMegabytes(),
                    one.remark()));
        }
        text.append(String.format(
                Locale.ROOT,
                "%nThe best of %d rounds each, one thread; Java %s, %d cores, heap of at most %,d MB.%n",
                rounds,
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Runtime.getRuntime().maxMemory() >> 20));
        return text.toString();
    }

    private static JsonObject json(List<Measurement> measured) {
        var rows = new JsonArray();
        for (Measurement one : measured) {
            var row = new JsonObject();
            row.addProperty("what", one.what());
            row.addProperty("goal", one.goal());
            row.addProperty("events", one.events());
            row.addProperty("seconds", one.seconds());
            row.addProperty("cpuSeconds", one.cpuSeconds());
            row.addProperty("heapMegabytes", one.heapMegabytes());
            row.addProperty("remark", one.remark());
            rows.add(row);
        }
        var json = new JsonObject();
        json.add("rows", rows);
        return json;
    }

    private static void put(String table, String name) {
        var text = marked(name);
        var before = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
        var after = text.substring(text.indexOf(END));
        try (var file = new WholeFile(name)) {
            file.write(before + "\n" + table + after);
            file.keep();
        }
    }

    /** @throws Refusal if there is no place for the table */
    private static String marked(String name) {
        try {
            var text = Files.readString(Path.of(name));
            if (!text.contains(BEGIN) || text.indexOf(END) < text.indexOf(BEGIN)) {
                throw Refusal.wrong(name + " has no place for the table", "put " + BEGIN + " and " + END + " there");
            }
            return text;
        } catch (IOException unreadable) {
            throw Refusal.cannot("cannot read " + name, "is it there, and may you read it?");
        }
    }
}
