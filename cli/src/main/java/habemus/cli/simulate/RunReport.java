package habemus.cli.simulate;

import habemus.cli.options.OutputOptions;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.run.CompletedRun;
import habemus.lab.run.RunSummary;
import habemus.lab.run.RunView;
import habemus.lab.table.AnsiColors;
import java.io.PrintStream;

/** Prints a run as text: diagram, counts, verdicts and the replay command. */
final class RunReport {

    private RunReport() {}

    static void print(CompletedRun run, OutputOptions output, AnsiColors colors, PrintStream out) {
        var experiment = run.experiment();
        var replay = ReplayCommandLine.of(experiment.arguments());
        out.println(colors.bold(experiment.headline()));
        if (!output.isTraceToStdout() && output.diagram().orElse(true)) {
            out.println();
            out.println(ExperimentRunner.diagram(run, output, colors)
                    .map(String::stripTrailing)
                    .orElse(colors.faint(diagramPlaceholder(experiment))));
            if (run.traceBuffer().hidesIdleHeartbeats()) {
                out.println(colors.faint("(heartbeats that change nothing are not drawn)"));
            } else if (run.traceBuffer().hidesHeartbeats()) {
                out.println(colors.faint("(heartbeats are not drawn)"));
            }
        }
        out.println();
        RunSummary.of(experiment.algorithm().problem(), run.runResult(), RunView.of(experiment), colors)
                .forEach(out::println);
        out.println();
        out.println("replay with  " + colors.bold(replay));
    }

    private static String diagramPlaceholder(Experiment experiment) {
        return experiment.nodes() > ExperimentRunner.MAX_DRAWN_NODES
                ? "(too many nodes to draw)"
                : "(too large for a diagram here: use --diagram, or --svg FILE)";
    }
}
