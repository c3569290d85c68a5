package habemus.cli.simulate;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.experiment.Experiment;
import habemus.cli.experiment.ExperimentParser;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.AnsiColors;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ShellSyntax;
import habemus.cli.terminal.Terminal;
import habemus.lab.trace.TraceText;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Plays a scenario: executes its runs and compares their output with the recorded one. */
final class ScenarioPlayer {

    private static final List<String> OUTPUT_OPTIONS = List.of(
            "--json",
            "--svg",
            "--log-svg",
            "--mermaid",
            "--traffic",
            "--trace",
            "--diagram",
            "--no-diagram",
            "--color",
            "--rewrite");

    /** A command with its current output. */
    record PlayedCommand(Scenario.RecordedCommand recordedCommand, CompletedRun completedRun, List<String> output) {
        boolean isAsRecorded() {
            return output.equals(recordedCommand.output());
        }
    }

    private ScenarioPlayer() {}

    static List<PlayedCommand> play(Scenario scenario, OutputOptions outputOptions, PrintStream out) {
        var commands = new ArrayList<PlayedCommand>();
        boolean several = scenario.recordedCommands().size() > 1;
        for (var recordedCommand : scenario.recordedCommands()) {
            var own = several ? outputOptions.withNumber(commands.size() + 1) : outputOptions;
            var experiment = experiment(scenario, recordedCommand);
            commands.add(compare(recordedCommand, CompletedRun.withFullTrace(experiment, own, out)));
        }
        return commands;
    }

    private static Experiment experiment(Scenario scenario, Scenario.RecordedCommand recordedCommand) {
        try {
            var arguments = ShellSyntax.split(recordedCommand.command());
            for (String argument : arguments) {
                var name = argument.replaceFirst("=.*", "");
                if (OUTPUT_OPTIONS.contains(name)) {
                    throw CommandException.usage(name + " is not allowed in a scenario", "give it to habemus run");
                }
            }
            return ExperimentParser.parse(RunCommand.parse(arguments.subList(1, arguments.size())));
        } catch (IllegalArgumentException unreadable) {
            throw CommandException.usage(String.valueOf(unreadable.getMessage()), "quote the command as in a shell")
                    .withLocation(scenario.origin() + ":" + recordedCommand.line());
        } catch (CommandException wrong) {
            throw wrong.withLocation(scenario.origin() + ":" + recordedCommand.line());
        }
    }

    private static PlayedCommand compare(Scenario.RecordedCommand recordedCommand, CompletedRun completedRun) {
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

    /** The same scenario with the current output. */
    static Scenario withNewOutputs(Scenario scenario, List<PlayedCommand> commands) {
        return scenario.withOutputs(commands.stream().map(PlayedCommand::output).toList());
    }

    static JsonObject json(Scenario scenario, List<PlayedCommand> commands, OutputOptions outputOptions) {
        var runs = new JsonArray();
        commands.forEach(command -> runs.add(RunJson.of(command.completedRun(), outputOptions)));
        var json = commands.size() == 1 ? runs.get(0).getAsJsonObject() : new JsonObject();
        json.addProperty("scenario", scenario.origin());
        json.addProperty("asRecorded", commands.stream().allMatch(PlayedCommand::isAsRecorded));
        if (commands.size() > 1) {
            json.add("runs", runs);
        }
        return json;
    }

    static void print(Scenario scenario, List<PlayedCommand> commands, OutputOptions outputOptions, Terminal terminal) {
        var out = outputOptions.isTraceToStdout() ? terminal.err() : terminal.out();
        var colors = AnsiColors.of(outputOptions.color(), terminal);
        out.println(colors.bold(scenario.title()));
        scenario.story().forEach(out::println);
        for (var command : commands) {
            out.println();
            command.recordedCommand().notes().forEach(note -> out.println(Scenario.uncommented(note)));
            RunReport.print(command.completedRun(), outputOptions, colors, out);
            out.println(command.isAsRecorded() ? "as recorded" : colors.red(difference(scenario, command)));
        }
    }

    private static String difference(Scenario scenario, PlayedCommand commands) {
        var recorded = commands.recordedCommand().output();
        if (recorded.isEmpty()) {
            return "not recorded yet: --rewrite records it";
        }
        int at = 0;
        while (at < Math.min(recorded.size(), commands.output().size())
                && recorded.get(at).equals(commands.output().get(at))) {
            at++;
        }
        return "not as recorded, first in " + scenario.origin() + ":"
                + (commands.recordedCommand().line() + 2 + at)
                + "\n  recorded  " + line(recorded, at)
                + "\n  now       " + line(commands.output(), at);
    }

    private static String line(List<String> lines, int at) {
        return at < lines.size() ? lines.get(at).trim() : "(nothing more)";
    }
}
