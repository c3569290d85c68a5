package habemus;

import habemus.catalogue.Algorithm;
import habemus.check.Checker;
import habemus.check.Effort;
import habemus.check.Report;
import habemus.check.Scope;
import habemus.protocol.Protocol;
import habemus.protocol.Timed;
import habemus.protocol.Watchful;
import habemus.small.SmallWorlds;
import habemus.world.Hazard;
import habemus.world.Property;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an algorithm survives, as the checker finds it: a table of hazards and properties. */
record Survival(Algorithm algorithm, SmallWorlds.Variant variant) {

    /** Counted, not timed: the same on any machine. */
    private static final long STATES = 60_000;

    private static final List<Trouble> ASYNCHRONOUS = List.of(
            new Trouble("nothing goes wrong", scope -> scope),
            new Trouble(Hazard.REORDER.sentence(), Scope::unordered),
            new Trouble("one message arrives twice", scope -> scope.allowing(Hazard.DUPLICATION, 1)),
            new Trouble("one message is lost", scope -> scope.allowing(Hazard.LOSS, 1)),
            new Trouble("one node crashes", scope -> scope.allowing(Hazard.CRASH, 1)),
            new Trouble(
                    "one node crashes and comes back",
                    scope -> scope.allowing(Hazard.CRASH, 1).allowing(Hazard.RESTART, 1)));

    private static final List<Trouble> SYNCHRONOUS = List.of(
            new Trouble("nothing goes wrong, alarms after all messages", Scope::synchronous),
            new Trouble(
                    "one node crashes, alarms after all messages",
                    scope -> scope.allowing(Hazard.CRASH, 1).synchronous()));

    private static final Trouble MISTAKE =
            new Trouble("one live node is suspected once", scope -> scope.allowing(Hazard.MISTAKE, 1));

    private record Trouble(String words, UnaryOperator<Scope> scope) {}

    /** As Markdown: how many steps the shortest run to a violation takes stands beside it. */
    String table() {
        var properties = Property.of(algorithm.problem());
        var lines = new ArrayList<String>();
        lines.add(row("", Stream.concat(properties.stream().map(Property::toString), Stream.of("looked at"))));
        lines.add("|---" + "|---".repeat(properties.size() + 1) + "|");
        for (Trouble trouble : troubles(algorithm.make(variant.setting()))) {
            lines.add(line(trouble, properties));
        }
        return String.join("\n", lines);
    }

    private static List<Trouble> troubles(Protocol<?, ?> protocol) {
        var troubles = new ArrayList<>(ASYNCHRONOUS);
        if (protocol instanceof Watchful) {
            troubles.add(MISTAKE);
        }
        if (protocol instanceof Timed || protocol instanceof Watchful) {
            troubles.addAll(SYNCHRONOUS);
        }
        return troubles;
    }

    private String line(Trouble trouble, List<Property> properties) {
        var size = SmallWorlds.sizes(algorithm).getLast();
        var report = check(trouble, size);
        for (var smaller : SmallWorlds.sizes(algorithm).reversed()) {
            if (report.states() >= STATES) {
                size = smaller;
                report = check(trouble, size);
            }
        }
        var told = report;
        var cells = properties.stream().map(property -> cell(told, property));
        return row(trouble.words, Stream.concat(cells, Stream.of(size + end(report))));
    }

    /** What kept the checker from looking at everything. */
    private static String end(Report report) {
        return report.find(Report.PROTOCOL_BUG)
                .filter(bug -> bug.verdict() == Verdict.VIOLATED)
                .map(bug -> "; **impossible** " + steps(bug))
                .orElse(report.complete() ? "" : "; in part");
    }

    private Report check(Trouble trouble, SmallWorlds.Size size) {
        var scope = trouble.scope
                .apply(SmallWorlds.scope(algorithm, size))
                .spending(Effort.ample().states(STATES));
        return Checker.check(algorithm.make(variant.setting().among(size.nodes())), scope);
    }

    /** Who has an alarm set that never rings is not stuck, but nor is it seen to get in. */
    private String cell(Report report, Property property) {
        boolean unseen = algorithm.alarms() == 0 && property.when() == Property.When.IN_THE_END;
        return report.find(property.toString())
                .filter(finding -> !unseen || finding.verdict() == Verdict.VIOLATED)
                .map(finding -> switch (finding.verdict()) {
                    case HOLDS -> "holds";
                    case VIOLATED -> "**violated** " + steps(finding);
                    case OPEN -> "open";
                })
                .orElse("–");
    }

    private static long steps(Report.Finding finding) {
        return finding.run().stream().mapToLong(TraceLine::at).max().orElse(0);
    }

    private static String row(String head, Stream<String> cells) {
        return cells.collect(Collectors.joining(" | ", "| " + head + " | ", " |"));
    }
}
