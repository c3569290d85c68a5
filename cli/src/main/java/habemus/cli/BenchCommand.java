package habemus.cli;

import com.google.gson.JsonObject;
import habemus.lab.bench.MarkedPage;
import java.util.List;
import picocli.CommandLine.ParseResult;

/** {@code habemus bench}: how fast the laboratory is, and real nodes are, on this machine, now. */
final class BenchCommand implements Command {

    private static final String SECTION = "Options:";
    private static final long ROUNDS_MAX = 1_000;

    @Override
    public String name() {
        return "bench";
    }

    @Override
    public String summary() {
        return "Measures the simulator, the checker, large elections, and locks and elections of real nodes.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        var sheet = new Sheet(this, "[simulator|checker|elections|network|failover…] [options]").words("WHAT", true);
        return NetworkBenchmark.add(sheet)
                .value(
                        SECTION,
                        "--rounds",
                        "N",
                        "how often each is run; the best counts; of failover all (standard: 5)")
                .value(SECTION, "--seed", "N", "the seed of every round (standard: 1)")
                .value(SECTION, "--write", "FILE", "also puts each table into FILE, between its two bench marks")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION)
                .example(
                        "habemus bench checker",
                        "habemus bench network -n 3,5 --algorithm central,maekawa-deadlock-free --seconds 1",
                        "habemus bench --write docs/benchmarks.md");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var benchmarks = benchmarks(parsed);
        int rounds = (int) Math.min(ROUNDS_MAX, Output.number(parsed, "--rounds", 5));
        long seed = Output.number(parsed, "--seed", 1);
        var file = Output.text(parsed, "--write");
        file.ifPresent(name -> benchmarks.forEach(one -> page(name, one))); // complains before anything is run
        var progress = new Progress(terminal);
        boolean asJson = parsed.hasMatchedOption("--json");
        var json = new JsonObject();
        for (Benchmark benchmark : benchmarks) {
            var measured = benchmark.run(rounds, seed, progress);
            progress.clear();
            file.ifPresent(name -> put(name, benchmark, measured.table()));
            json.add(benchmark.name(), measured.rows());
            if (!asJson) {
                terminal.out().println(measured.table());
            }
        }
        if (asJson) {
            terminal.out().println(json);
        }
        return ExitCode.DONE;
    }

    /** All, if none is named. */
    private static List<Benchmark> benchmarks(ParseResult parsed) {
        var all = List.of(
                new SimulatorBenchmark(),
                new CheckerBenchmark(),
                new ElectionsBenchmark(),
                NetworkBenchmark.of(parsed),
                new FailoverBenchmark());
        var named = parsed.matchedPositionals().stream()
                .flatMap(word -> word.stringValues().stream())
                .distinct()
                .map(name -> benchmark(name, all))
                .toList();
        if (!named.isEmpty() && named.stream().noneMatch(NetworkBenchmark.class::isInstance)) {
            NetworkBenchmark.OPTIONS.stream()
                    .filter(parsed::hasMatchedOption)
                    .findFirst()
                    .ifPresent(option -> {
                        throw Refusal.wrong(option + " is for the network only", "leave it out, or name network too");
                    });
        }
        return named.isEmpty() ? all : named;
    }

    private static Benchmark benchmark(String name, List<Benchmark> all) {
        var names = all.stream().map(Benchmark::name).toList();
        if (!names.contains(name)) {
            throw Refusal.wrong(
                    "there is no benchmark of a '" + name + "'",
                    Nearest.hint(name, names) + "there are " + String.join(", ", names));
        }
        return all.get(names.indexOf(name));
    }

    private static void put(String name, Benchmark benchmark, String table) {
        WholeFile.write(name, page(name, benchmark).with(table));
    }

    /** @throws Refusal if there is no place for the table */
    private static MarkedPage page(String name, Benchmark benchmark) {
        return MarkedFile.read(name, "habemus bench " + benchmark.name(), "the table of the " + benchmark.name());
    }
}
