package habemus.lab.run;

import habemus.lab.command.CommandException;
import habemus.lab.table.AnsiColors;
import habemus.lab.trace.TraceText;
import java.util.ArrayList;
import java.util.List;

/**
 * A command of a scenario with its current output.
 *
 * @param output the events and the summary of the run, line by line
 */
public record PlayedCommand(Scenario.RecordedCommand recordedCommand, CompletedRun completedRun, List<String> output) {

    static PlayedCommand of(Scenario.RecordedCommand recordedCommand, CompletedRun completedRun) {
        if (!completedRun.traceBuffer().isComplete()) {
            throw CommandException.failure(
                    "too many events: " + recordedCommand.command(), "end the run earlier with --until or --steps");
        }
        var answer = new ArrayList<String>();
        var experiment = completedRun.experiment();
        completedRun
                .traceBuffer()
                .lines()
                .forEach(line -> answer.addAll(TraceText.of(line, experiment.names(), experiment.timeScale())));
        answer.addAll(RunSummary.of(
                experiment.algorithm().problem(), completedRun.runResult(), RunView.of(experiment), AnsiColors.NONE));
        answer.replaceAll(String::stripTrailing);
        answer.removeIf(String::isEmpty);
        return new PlayedCommand(recordedCommand, completedRun, List.copyOf(answer));
    }

    public boolean isAsRecorded() {
        return output.equals(recordedCommand.output());
    }

    /**
     * The first difference from the recorded output, for a command that is not as recorded.
     *
     * @param origin of the scenario
     */
    public String difference(String origin) {
        var recorded = recordedCommand.output();
        if (recorded.isEmpty()) {
            return "not recorded yet: --rewrite records it";
        }
        int at = 0;
        while (at < Math.min(recorded.size(), output.size()) && recorded.get(at).equals(output.get(at))) {
            at++;
        }
        return "not as recorded, first in " + origin + ":" + (recordedCommand.line() + 2 + at)
                + "\n  recorded  " + line(recorded, at)
                + "\n  now       " + line(output, at);
    }

    private static String line(List<String> lines, int at) {
        return at < lines.size() ? lines.get(at).trim() : "(nothing more)";
    }
}
