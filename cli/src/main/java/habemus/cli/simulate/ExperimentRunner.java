package habemus.cli.simulate;

import habemus.cli.options.OutputOptions;
import habemus.lab.command.CommandException;
import habemus.lab.diagram.text.TextDiagram;
import habemus.lab.experiment.Experiment;
import habemus.lab.run.CompletedRun;
import habemus.lab.run.TraceBuffer;
import habemus.lab.table.AnsiColors;
import habemus.lab.trace.TraceJson;
import habemus.world.Problem;
import habemus.world.TraceEvent;
import java.io.PrintStream;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs experiments, writes their output files, and draws them for a terminal. */
final class ExperimentRunner {

    /** The maximum number of nodes in a drawing. */
    static final int MAX_DRAWN_NODES = 1_000;

    private static final int MAX_TERMINAL_NODES = 16;
    private static final int MAX_TERMINAL_ROWS = 200;
    private static final int MAX_TERMINAL_EVENTS = 2_000;

    private ExperimentRunner() {}

    /** Runs the experiment and writes its output files. */
    static CompletedRun run(Experiment experiment, OutputOptions output, PrintStream out) {
        return run(experiment, output, out, new TraceBuffer(limit(experiment, output), !output.isTraceToStdout()));
    }

    /** The same, with the full trace. */
    static CompletedRun runWithFullTrace(Experiment experiment, OutputOptions output, PrintStream out) {
        return run(experiment, output, out, TraceBuffer.forDrawing());
    }

    private static CompletedRun run(
            Experiment experiment, OutputOptions output, PrintStream out, TraceBuffer traceBuffer) {
        rejectTooManyNodes(experiment, output);
        output.rejectLogSvgUnless(experiment.algorithm().problem() == Problem.LOG);
        try (var files = new RunOutputFiles(output, experiment.names(), experiment.timeScale())) {
            boolean printed = output.isTraceToStdout() && !output.json();
            Consumer<TraceEvent> trace = line -> {
                traceBuffer.accept(line);
                files.write(line);
                if (printed) {
                    out.println(experiment.names().in(TraceJson.of(line, experiment.timeScale())));
                }
            };
            boolean traced = traceBuffer.isComplete() || files.hasTrace() || printed;
            var runResult = traced ? experiment.run(trace) : experiment.run();
            if ((output.hasDrawing() || (output.isTraceToStdout() && !printed)) && !traceBuffer.isComplete()) {
                throw CommandException.failure(
                        "the run has more than " + TraceBuffer.MAX_EVENTS + " events, too many to draw",
                        "end the run earlier with --until or --steps, or write it to a file with --trace");
            }
            files.finish(
                    () -> traceBuffer.recording(experiment), experiment.world().topology());
            return new CompletedRun(experiment, runResult, traceBuffer);
        }
    }

    private static void rejectTooManyNodes(Experiment experiment, OutputOptions output) {
        if (output.hasDrawing() && experiment.nodes() > MAX_DRAWN_NODES) {
            throw CommandException.usage(
                    experiment.nodes() + " nodes are too many for a drawing",
                    "use at most " + MAX_DRAWN_NODES
                            + ", or leave out --svg, --log-svg, --mermaid, --traffic and --diagram");
        }
    }

    private static int limit(Experiment experiment, OutputOptions output) {
        if (output.hasDrawing() || (output.json() && output.isTraceToStdout())) {
            return TraceBuffer.MAX_EVENTS;
        }
        boolean shown =
                !output.json() && !output.isTraceToStdout() && output.diagram().orElse(true);
        return shown && experiment.nodes() <= MAX_TERMINAL_NODES ? MAX_TERMINAL_EVENTS : 0;
    }

    /** The diagram for a terminal; empty if it is not wanted, or too large and not requested explicitly. */
    static Optional<String> diagram(CompletedRun run, OutputOptions output, AnsiColors colors) {
        var experiment = run.experiment();
        var traceBuffer = run.traceBuffer();
        boolean requested = output.diagram().orElse(false);
        if (!output.diagram().orElse(true) || !traceBuffer.isComplete()) {
            return Optional.empty();
        }
        if (!requested
                && (experiment.nodes() > MAX_TERMINAL_NODES
                        || traceBuffer.lines().size() > MAX_TERMINAL_EVENTS)) {
            return Optional.empty();
        }
        var diagram = TextDiagram.draw(traceBuffer.recording(experiment), colors.enabled());
        return requested || diagram.lines().count() <= MAX_TERMINAL_ROWS ? Optional.of(diagram) : Optional.empty();
    }
}
