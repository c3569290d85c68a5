package habemus.lab.run;

import habemus.lab.command.ExitCode;
import habemus.lab.experiment.Experiment;
import habemus.simulate.RunResult;

/** A completed run: its result and its recorded trace. */
public record CompletedRun(Experiment experiment, RunResult runResult, TraceBuffer traceBuffer) {

    /** Runs the experiment and records its events. */
    public static CompletedRun of(Experiment experiment, TraceBuffer traceBuffer) {
        return new CompletedRun(experiment, experiment.run(traceBuffer), traceBuffer);
    }

    public int exitCode() {
        return runResult.violates(experiment.required().properties()) ? ExitCode.VIOLATED : ExitCode.OK;
    }
}
