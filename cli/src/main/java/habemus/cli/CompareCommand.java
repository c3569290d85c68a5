package habemus.cli;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.compare.Comparison;
import habemus.lab.compare.Row;
import habemus.world.Problem;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.ParseResult;

/** {@code habemus compare}: the algorithms side by side, measured beside expected. */
final class CompareCommand implements Command {

    private static final String SECTION = "Options:";
    private static final String SIZES = "5,9";
    private static final long MOST = 200;

    @Override
    public String name() {
        return "compare";
    }

    @Override
    public String summary() {
        return "Measures all algorithms of a problem in the same situations, beside what theory says.";
    }

    @Override
    public Sheet sheet(List<String> args) {
        return new Sheet(this, "mutex | election  [options]")
                .words("PROBLEM", false)
                .value(SECTION, "-n", "N,N…", "how many nodes, one table for each (standard: " + SIZES + ")")
                .value(
                        SECTION,
                        "--svg",
                        "FILE",
                        "draws the messages over the number of nodes, with the curves of theory")
                .value(SECTION, "--write", "FILE", "also puts the tables into FILE, between its two marks")
                .flag(SECTION, "--json", "answers with one JSON document, and nothing else")
                .help(SECTION)
                .example("habemus compare mutex -n 5,9", "habemus compare election -n 4,8,16,32 --svg messages.svg");
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var problem = problem(parsed);
        var given = Output.text(parsed, "-n").orElse(SIZES);
        var sizes = sizes(given);
        var command = "habemus compare " + problem + " -n " + given;
        var file = Output.text(parsed, "--write");
        file.ifPresent(name -> MarkedFile.read(name, command, "the comparison")); // complains before anything is run
        var progress = new Progress(terminal);
        var done = new int[1];
        int all = sizes.size() * Comparison.algorithms(problem).size();
        var rows = Comparison.of(problem, sizes, what -> progress.show(what, done[0]++, all));
        progress.clear();
        var sheets = new Compared(problem, sizes, rows);
        Output.text(parsed, "--svg").ifPresent(name -> WholeFile.write(name, sheets.chart()));
        file.ifPresent(name -> WholeFile.write(
                name, MarkedFile.read(name, command, "the comparison").with(sheets.markdown())));
        terminal.out().print(parsed.hasMatchedOption("--json") ? json(problem, rows) + "\n" : sheets.text());
        return rows.stream().allMatch(Row::agrees) ? ExitCode.DONE : ExitCode.VIOLATED;
    }

    private static Problem problem(ParseResult parsed) {
        var word = parsed.matchedPositionals().stream()
                .flatMap(one -> one.stringValues().stream())
                .findFirst()
                .orElseThrow(() -> Refusal.wrong(
                        "there is nothing to compare", "say mutex or election, as in habemus compare mutex"));
        return Stream.of(Problem.MUTEX, Problem.ELECTION)
                .filter(problem -> problem.toString().equals(word))
                .findFirst()
                .orElseThrow(() -> Refusal.wrong(
                        "there is no comparison of '" + word + "'",
                        Nearest.hint(word, List.of("mutex", "election")) + "say mutex or election"));
    }

    private static List<Integer> sizes(String text) {
        return Stream.of(text.split(",", -1))
                .map(part -> {
                    boolean number = part.matches("\\d{1,6}");
                    if (!number || Integer.parseInt(part) < 3 || Integer.parseInt(part) > MOST) {
                        throw Refusal.wrong(
                                "-n " + ShellWords.quote(text) + " is not a list of numbers from 3 to " + MOST,
                                "write it as in -n " + SIZES);
                    }
                    return Integer.parseInt(part);
                })
                .distinct()
                .toList();
    }

    private static JsonObject json(Problem problem, List<Row> rows) {
        var all = new JsonArray();
        rows.forEach(row -> all.add(json(row)));
        var json = new JsonObject();
        json.addProperty("problem", problem.toString());
        json.add("rows", all);
        return json;
    }

    private static JsonObject json(Row row) {
        var measured = new JsonObject();
        row.alone().ifPresent(alone -> measured.addProperty("messagesAlone", alone));
        row.busy().ifPresent(busy -> {
            measured.addProperty("messages", busy.value());
            measured.addProperty("messagesOff", busy.off());
        });
        measured.addProperty("clientDelay", row.clientDelay());
        row.handoverDelay().ifPresent(delay -> measured.addProperty("handoverDelay", delay));
        row.rounds().ifPresent(rounds -> measured.addProperty("rounds", rounds));
        measured.addProperty("maxMessageSize", row.largest());
        measured.addProperty("busiestShare", row.busiest());
        var expected = new JsonArray();
        for (var figure : row.figures()) {
            var one = new JsonObject();
            one.addProperty("what", figure.cost().measure().name().toLowerCase(Locale.ROOT));
            one.addProperty("formula", figure.cost().formula());
            one.addProperty("expected", figure.expected());
            one.addProperty("measured", figure.measured());
            one.addProperty("agrees", figure.agrees());
            expected.add(one);
        }
        var json = new JsonObject();
        json.addProperty("algorithm", row.algorithm().name());
        json.addProperty("n", row.nodes());
        json.add("measured", measured);
        json.add("expected", expected);
        json.addProperty("agrees", row.agrees());
        return json;
    }
}
