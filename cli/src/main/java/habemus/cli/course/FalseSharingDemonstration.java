package habemus.cli.course;

import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.ProgressLine;
import habemus.course.threads.ObjectLayout;
import habemus.course.threads.StressReport.Sharing;
import habemus.lab.diagram.svg.CacheLineSvg;
import habemus.lab.diagram.svg.CacheLineSvg.Role;
import habemus.lab.table.TextTable;
import java.time.Duration;
import java.util.Locale;
import picocli.CommandLine.ParseResult;

/** {@code habemus threads false-sharing}: two counters in one cache line, and in two. */
final class FalseSharingDemonstration implements ThreadDemonstration {

    private static final String FIRST = "first";
    private static final String SECOND = "second";

    @Override
    public String name() {
        return "false-sharing";
    }

    @Override
    public String claim() {
        return "Two threads that write two variables of one cache line slow each other down.";
    }

    @Override
    public CommandSyntax addOptions(CommandSyntax syntax) {
        return syntax.value(
                        SECTION,
                        "--time",
                        "DURATION",
                        DurationOptions.duration().withDefault("500ms"),
                        "length of each of the five measured iterations of JMH")
                .value(SECTION, "--svg", "FILE", "draws the objects on cache lines")
                .examples("habemus threads false-sharing", "habemus threads false-sharing --svg lines.svg");
    }

    @Override
    public Finding run(ParseResult parsed, ProgressLine progress) {
        Duration time = ParsedOptions.get(parsed, "--time");
        var sharing = StressJvm.find().run(Sharing.class, progress, name(), Long.toString(time.toMillis()));
        ParsedOptions.text(parsed, "--svg").ifPresent(file -> AtomicOutputFile.write(file, svg(sharing)));
        var json = ThreadDemonstration.json(sharing);
        json.addProperty("effect", sharing.effect().toString().toLowerCase(Locale.ROOT));
        var notes = ThreadDemonstration.notes(
                "drawn",
                "[one cache line of " + ObjectLayout.LINE_BYTES + " bytes], 4 bytes a character: h header, f first, s"
                        + " second, p padding by hand, · padding by the JVM; layout by JOL",
                "measured",
                "by JMH, each thread increments its own counter; all objects start at a cache line",
                "effect",
                effect(sharing));
        return new Finding(text(sharing), notes, json, true);
    }

    private static String text(Sharing sharing) {
        var text = new StringBuilder();
        for (var layout : sharing.layouts()) {
            text.append(layout.name())
                    .append(layout.shareLine(FIRST, SECOND) ? ": both counters in one line\n" : ": a line for each\n");
            layout.text().forEach(line -> text.append("  ").append(line).append('\n'));
        }
        var table = new TextTable("layout", "million operations/s", "error", "ratio");
        sharing.rates()
                .forEach(rate -> table.row(
                        rate.name(),
                        format(rate.operationsPerSecond() / 1e6),
                        format(rate.error() / 1e6),
                        String.format(Locale.ROOT, "%.2f", sharing.ratio(rate.name()))));
        return text.append('\n').append(table.text()).toString();
    }

    private static String effect(Sharing sharing) {
        var rule = " (rule: " + Sharing.MIN_RATIO + " times faster, and the confidence intervals do not overlap)";
        return switch (sharing.effect()) {
            case SHOWN -> "this machine shows false sharing" + rule;
            case ABSENT ->
                "this machine shows no false sharing" + rule
                        + ": the two threads may share a core, or rarely run at the same time";
            case UNCERTAIN ->
                "the errors are too large to say" + rule + ": run it on a quiet machine, with a longer --time";
        };
    }

    private static String format(double number) {
        return String.format(Locale.ROOT, "%.1f", number);
    }

    private static String svg(Sharing sharing) {
        return CacheLineSvg.draw(
                "Two counters on cache lines of " + ObjectLayout.LINE_BYTES + " bytes",
                ObjectLayout.LINE_BYTES,
                sharing.layouts().stream().map(layout -> strip(layout, sharing)).toList());
    }

    private static CacheLineSvg.Strip strip(ObjectLayout layout, Sharing sharing) {
        var boxes = layout.fields().stream()
                .map(field -> new CacheLineSvg.Box(field.name(), role(field), field.offset(), field.bytes()))
                .toList();
        var rate = format(sharing.rate(layout.name()).operationsPerSecond() / 1e6) + " million operations/s";
        return new CacheLineSvg.Strip(layout.name() + ": " + rate, layout.bytes(), boxes);
    }

    private static Role role(ObjectLayout.Field field) {
        if (field.name().equals(ObjectLayout.HEADER)) {
            return Role.HEADER;
        }
        return field.isPadding() ? Role.PADDING : Role.FIELD;
    }
}
