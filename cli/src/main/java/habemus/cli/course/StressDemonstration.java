package habemus.cli.course;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.terminal.ProgressLine;
import habemus.course.threads.StressReport.Outcome;
import habemus.course.threads.StressReport.Stress;
import habemus.course.threads.StressReport.StressTest;
import habemus.lab.table.TextTable;
import java.time.Duration;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.ParseResult;

/** {@code habemus threads stress}: every outcome of tiny programs, counted by jcstress. */
final class StressDemonstration implements ThreadDemonstration {

    private static final String PUT_IF_ABSENT = "./habemus check put-if-absent";

    @Override
    public String name() {
        return "stress";
    }

    @Override
    public String claim() {
        return "Plain variables have outcomes that no interleaving explains; volatile and final forbid them.";
    }

    @Override
    public CommandSyntax addOptions(CommandSyntax syntax) {
        return syntax.value(
                        SECTION,
                        "--time",
                        "DURATION",
                        DurationOptions.duration().withDefault("1s"),
                        "length of each test of jcstress")
                .examples("habemus threads stress", "habemus threads stress --time 5s --json");
    }

    @Override
    public Finding run(ParseResult parsed, ProgressLine progress) {
        Duration time = ParsedOptions.get(parsed, "--time");
        var stress = StressJvm.find().run(Stress.class, progress, name(), Long.toString(time.toMillis()));
        var table = new TextTable("test", "outcome", "grade", "count", "meaning");
        stress.tests().forEach(test -> test.outcomes().forEach(outcome -> addRow(table, test, outcome)));
        boolean isPassed = stress.tests().stream().allMatch(StressTest::isPassed);
        var notes = ThreadDemonstration.notes(
                "counted",
                "by jcstress, on platform threads; a count of 0: allowed or forbidden, and not seen on this machine",
                "forbidden",
                isPassed ? "no forbidden outcome was seen" : "seen: " + failed(stress),
                "checked",
                "the same in every interleaving, without reordering: ./habemus check shared-counter --threads 2, "
                        + PUT_IF_ABSENT);
        return new Finding(table.text(), notes, ThreadDemonstration.json(stress, PUT_IF_ABSENT), isPassed);
    }

    private static void addRow(TextTable table, StressTest test, Outcome outcome) {
        table.row(
                test.name(),
                outcome.id(),
                outcome.grade().toString().toLowerCase(Locale.ROOT),
                String.format(Locale.ROOT, "%,d", outcome.count()),
                outcome.description());
    }

    private static String failed(Stress stress) {
        return stress.tests().stream()
                .filter(test -> !test.isPassed())
                .map(StressTest::name)
                .collect(Collectors.joining(", "));
    }
}
