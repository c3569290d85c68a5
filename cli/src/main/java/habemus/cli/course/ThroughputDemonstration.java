package habemus.cli.course;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.ProgressLine;
import habemus.course.threads.CounterVariant;
import habemus.course.threads.StressReport.Throughput;
import habemus.course.threads.ThreadKind;
import habemus.lab.command.NumberOptions;
import habemus.lab.diagram.svg.Chart;
import habemus.lab.table.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus threads throughput}: increments a second of every counter, by number of threads. */
final class ThroughputDemonstration implements ThreadDemonstration {

    private static final int MAX_THREADS = 64;
    private static final String CHECKER = "./habemus check shared-counter --variant atomic --threads 2 --rounds 2";

    @Override
    public String name() {
        return "throughput";
    }

    @Override
    public String claim() {
        return "What sharing a counter costs: increments a second of every form, by number of threads.";
    }

    @Override
    public CommandSyntax addOptions(CommandSyntax syntax) {
        syntax.value(
                        SECTION,
                        "--threads",
                        "K,…",
                        NumberOptions.counts(MAX_THREADS).withDefault("1,2,4"),
                        "numbers of threads")
                .value(
                        SECTION,
                        "--time",
                        "DURATION",
                        DurationOptions.duration().withDefault("200ms"),
                        "length of each of the five measured iterations of JMH")
                .value(SECTION, "--svg", "FILE", "draws a curve for each counter");
        return ThreadDemonstration.addKind(syntax, "platform")
                .examples(
                        "habemus threads throughput", "habemus threads throughput --threads 1,2 --kind both --time 1s");
    }

    @Override
    public Finding run(ParseResult parsed, ProgressLine progress) {
        var kinds = ThreadDemonstration.kinds(parsed);
        List<Integer> threads = ParsedOptions.get(parsed, "--threads");
        Duration time = ParsedOptions.get(parsed, "--time");
        var throughput = StressJvm.find()
                .run(
                        Throughput.class,
                        progress,
                        name(),
                        Long.toString(time.toMillis()),
                        kinds.stream().map(ThreadKind::name).collect(Collectors.joining(",")),
                        threads.stream().map(String::valueOf).collect(Collectors.joining(",")));
        ParsedOptions.text(parsed, "--svg")
                .ifPresent(file -> AtomicOutputFile.write(file, svg(throughput, kinds, threads)));
        var notes = ThreadDemonstration.notes(
                "measured",
                "million increments a second of all threads together, by JMH; n++ and volatile n++ lose updates",
                "errors",
                format("up to ±%.0f %%", 100 * throughput.largestError())
                        + " at 99.9 % confidence: smaller differences say nothing; use a longer --time",
                "processors",
                Integer.toString(Runtime.getRuntime().availableProcessors()),
                "checked",
                "which forms lose no update: " + CHECKER);
        return new Finding(
                table(throughput, kinds, threads), notes, ThreadDemonstration.json(throughput, CHECKER), true);
    }

    /** The last column of a kind is the rate of the last number of threads, divided by that of the first. */
    private static String table(Throughput throughput, List<ThreadKind> kinds, List<Integer> threads) {
        int first = threads.getFirst();
        int last = threads.getLast();
        var heading = new ArrayList<String>();
        heading.add("counter");
        for (var kind : kinds) {
            threads.forEach(count -> heading.add(count + " " + kind));
            heading.add(last + " : " + first);
        }
        var table = new TextTable(heading);
        for (var variant : CounterVariant.values()) {
            var row = new ArrayList<String>();
            row.add(variant.label());
            for (var kind : kinds) {
                threads.forEach(count -> row.add(format("%.1f", throughput.rate(variant.label(), kind, count) / 1e6)));
                row.add(format(
                        "%.2f",
                        throughput.rate(variant.label(), kind, last) / throughput.rate(variant.label(), kind, first)));
            }
            table.row(row);
        }
        return table.text();
    }

    private static String format(String pattern, double number) {
        return String.format(Locale.ROOT, pattern, number);
    }

    private static String svg(Throughput throughput, List<ThreadKind> kinds, List<Integer> threads) {
        var chart = new Chart(
                "Increments of one counter by several threads",
                new Chart.Axis("threads", false),
                new Chart.Axis("million increments a second", true));
        for (var variant : CounterVariant.values()) {
            for (var kind : kinds) {
                chart.curve(
                        kinds.size() == 1 ? variant.label() : variant.label() + ", " + kind,
                        threads.stream()
                                .map(count -> new Chart.Point(
                                        count, Math.log10(throughput.rate(variant.label(), kind, count) / 1e6)))
                                .toList());
            }
        }
        return chart.draw();
    }
}
