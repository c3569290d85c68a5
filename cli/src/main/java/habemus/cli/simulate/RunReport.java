package habemus.cli.simulate;

import habemus.cli.experiment.Experiment;
import habemus.cli.experiment.ReplayCommandLine;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.AnsiColors;
import java.io.PrintStream;

/** Prints a run as text: diagram, counts, verdicts and the replay command. */
final class RunReport {

    private RunReport() {}

    static void print(CompletedRun completedRun, OutputOptions outputOptions, AnsiColors ansiColors, PrintStream out) {
        var experiment = completedRun.experiment();
        var replay = ReplayCommandLine.of(experiment.arguments());
        out.println(ansiColors.bold(experiment.headline()));
        if (!outputOptions.isTraceToStdout() && outputOptions.diagram().orElse(true)) {
            out.println();
            out.println(completedRun
                    .diagram(outputOptions, ansiColors)
                    .map(String::stripTrailing)
                    .orElse(ansiColors.faint(diagramPlaceholder(experiment))));
            if (completedRun.traceBuffer().hidesIdleHeartbeats()) {
                out.println(ansiColors.faint("(heartbeats that change nothing are not drawn)"));
            } else if (completedRun.traceBuffer().hidesHeartbeats()) {
                out.println(ansiColors.faint("(heartbeats are not drawn)"));
            }
        }
        out.println();
        RunSummary.of(experiment.algorithm().problem(), completedRun.runResult(), ansiColors)
                .forEach(out::println);
        out.println();
        out.println("replay with  " + ansiColors.bold(replay));
    }

    private static String diagramPlaceholder(Experiment experiment) {
        return experiment.nodes() > CompletedRun.MAX_DRAWN_NODES
                ? "(too many nodes to draw)"
                : "(too large for a diagram here: use --diagram, or --svg FILE)";
    }
}
