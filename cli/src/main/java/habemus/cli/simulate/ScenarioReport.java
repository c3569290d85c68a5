package habemus.cli.simulate;

import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.Terminal;
import habemus.lab.run.PlayedCommand;
import habemus.lab.run.Scenario;
import java.util.List;

/** Prints a played scenario as text: its story, its runs, and where they differ from what is recorded. */
final class ScenarioReport {

    private ScenarioReport() {}

    static void print(Scenario scenario, List<PlayedCommand> commands, OutputOptions outputOptions, Terminal terminal) {
        var out = outputOptions.isTraceToStdout() ? terminal.err() : terminal.out();
        var colors = terminal.colors(outputOptions.color());
        out.println(colors.bold(scenario.title()));
        scenario.story().forEach(out::println);
        for (var command : commands) {
            out.println();
            command.recordedCommand().notes().forEach(note -> out.println(Scenario.uncommented(note)));
            RunReport.print(command.completedRun(), outputOptions, colors, out);
            out.println(command.isAsRecorded() ? "as recorded" : colors.red(command.difference(scenario.origin())));
        }
    }
}
