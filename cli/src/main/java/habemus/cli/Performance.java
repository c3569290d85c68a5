package habemus.cli;

import habemus.lab.picture.TextDiagram;
import habemus.lab.trace.TraceJson;
import habemus.simulate.Outcome;
import habemus.world.TraceLine;
import java.io.PrintStream;
import java.util.Optional;
import java.util.function.Consumer;

/** A run that was made: what became of it, and what was kept of how it went. */
record Performance(Experiment experiment, Outcome outcome, Recorder recorder) {

    /** That can be drawn. */
    static final int MOST_NODES = 1_000;

    private static final int SEEN_NODES = 16; // that fit a terminal
    private static final int SEEN_ROWS = 200;
    private static final int SEEN_LINES = 2_000;

    /** Makes the run, and the files that are wanted of it. */
    static Performance of(Experiment experiment, Output output, PrintStream out) {
        return of(experiment, output, out, new Recorder(limit(experiment, output), !output.traceToOut()));
    }

    /** The same, and keeps everything. */
    static Performance recorded(Experiment experiment, Output output, PrintStream out) {
        return of(experiment, output, out, new Recorder(Recorder.MOST, true));
    }

    private static Performance of(Experiment experiment, Output output, PrintStream out, Recorder recorder) {
        refuseTooMany(experiment, output);
        try (var files = new RunFiles(output)) {
            boolean printed = output.traceToOut() && !output.json();
            Consumer<TraceLine> trace = line -> {
                recorder.accept(line);
                files.write(line);
                if (printed) {
                    out.println(TraceJson.of(line));
                }
            };
            boolean traced = recorder.isComplete() || files.wantTrace() || printed;
            var outcome = traced ? experiment.run(trace) : experiment.run();
            if ((output.draws() || (output.traceToOut() && !printed)) && !recorder.isComplete()) {
                throw Refusal.cannot(
                        "more than " + Recorder.MOST + " things happen in this run, too many to keep",
                        "end it sooner with --until or --steps, or write it to a file with --trace");
            }
            files.finish(
                    () -> recorder.recording(experiment), experiment.world().topology());
            return new Performance(experiment, outcome, recorder);
        }
    }

    private static void refuseTooMany(Experiment experiment, Output output) {
        if (output.draws() && experiment.nodes() > MOST_NODES) {
            throw Refusal.wrong(
                    experiment.nodes() + " nodes are too many to draw",
                    "give at most " + MOST_NODES + ", or leave out --svg, --mermaid, --traffic and --diagram");
        }
    }

    private static int limit(Experiment experiment, Output output) {
        if (output.draws() || (output.json() && output.traceToOut())) {
            return Recorder.MOST;
        }
        boolean shown =
                !output.json() && !output.traceToOut() && output.diagram().orElse(true);
        return shown && experiment.nodes() <= SEEN_NODES ? SEEN_LINES : 0;
    }

    /** As a terminal shows it; nothing if it is not wanted, or too large and not asked for. */
    Optional<String> diagram(Output output, Paint paint) {
        boolean asked = output.diagram().orElse(false);
        if (!output.diagram().orElse(true) || !recorder.isComplete()) {
            return Optional.empty();
        }
        if (!asked && (experiment.nodes() > SEEN_NODES || recorder.lines().size() > SEEN_LINES)) {
            return Optional.empty();
        }
        var diagram = TextDiagram.draw(recorder.recording(experiment), paint.on());
        return asked || diagram.lines().count() <= SEEN_ROWS ? Optional.of(diagram) : Optional.empty();
    }

    int exitCode() {
        return outcome.failed() ? ExitCode.VIOLATED : ExitCode.DONE;
    }
}
