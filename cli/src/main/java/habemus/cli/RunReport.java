package habemus.cli;

import java.io.PrintStream;

/** A run for people: the diagram, the counts, the verdicts, and how to see it again. */
final class RunReport {

    private RunReport() {}

    static void print(Performance performance, Output output, Paint paint, PrintStream out) {
        var experiment = performance.experiment();
        var replay = ReplayLine.of(experiment.words());
        out.println(paint.bold(experiment.headline()));
        if (!output.traceToOut() && output.diagram().orElse(true)) {
            out.println();
            out.println(performance
                    .diagram(output, paint)
                    .map(String::stripTrailing)
                    .orElse(paint.faint(instead(experiment))));
            if (performance.recorder().hidesBeats()) {
                out.println(paint.faint("(heartbeats are not drawn)"));
            }
        }
        out.println();
        Summary.of(experiment.algorithm().problem(), performance.outcome(), paint)
                .forEach(out::println);
        out.println();
        out.println((performance.outcome().failed() ? "see it again with  " : "again with  ") + paint.bold(replay));
    }

    private static String instead(Experiment experiment) {
        return experiment.nodes() > Performance.MOST_NODES
                ? "(too many nodes to draw)"
                : "(too large for a diagram here: --diagram shows it, --svg FILE draws it)";
    }
}
