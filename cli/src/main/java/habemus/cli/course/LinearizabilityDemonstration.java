package habemus.cli.course;

import habemus.cli.options.CommandSyntax;
import habemus.cli.terminal.ProgressLine;
import habemus.course.threads.StressReport.Linearizability;
import habemus.course.threads.StressReport.Structure;
import picocli.CommandLine.ParseResult;

/** {@code habemus threads linearizability}: right and broken data structures under Lincheck. */
final class LinearizabilityDemonstration implements ThreadDemonstration {

    private static final String CHECKER = "./habemus check put-if-absent --property linearizable";

    @Override
    public String name() {
        return "linearizability";
    }

    @Override
    public String claim() {
        return "A structure is linearizable if a sequential order of its operations explains every interleaving.";
    }

    @Override
    public CommandSyntax addOptions(CommandSyntax syntax) {
        return syntax.examples("habemus threads linearizability", "habemus threads linearizability --json");
    }

    @Override
    public Finding run(ParseResult parsed, ProgressLine progress) {
        var report = StressJvm.find().run(Linearizability.class, progress, name());
        var text = new StringBuilder();
        report.structures().forEach(structure -> append(text, structure));
        var notes = ThreadDemonstration.notes(
                "found",
                "by Lincheck, which walks interleavings of random operations of two threads; it proves nothing",
                "checked",
                "every interleaving of a smaller program: " + CHECKER);
        return new Finding(text.toString(), notes, ThreadDemonstration.json(report, CHECKER), report.isAsExpected());
    }

    private static void append(StringBuilder text, Structure structure) {
        text.append(structure.name()).append(structure.isLinearizable() ? ": no violation found\n" : ": violated\n");
        structure.interleaving().forEach(line -> text.append("  ").append(line).append('\n'));
    }
}
