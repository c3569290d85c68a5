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

/** Plays a scenario: makes its runs, and compares what they say with what is recorded. */
final class ScenarioPlayer {

    private static final List<String> OUTPUT_OPTIONS =
            List.of("--json", "--svg", "--mermaid", "--trace", "--diagram", "--no-diagram", "--color", "--rewrite");

    /** One command, made again. */
    record PlayedCommand(Scenario.RecordedCommand recordedCommand, CompletedRun completedRun, List<String> output) {
        boolean isAsRecorded() {
            return output.equals(recordedCommand.output());
        }
    }

    private ScenarioPlayer() {}

    static List<PlayedCommand> play(Scenario scenario, OutputOptions outputOptions, PrintStream out) {
        var playedCommand = new ArrayList<PlayedCommand>();
        boolean several = scenario.recordedCommands().size() > 1;
        for (var recordedCommand : scenario.recordedCommands()) {
            var own = several ? outputOptions.withNumber(playedCommand.size() + 1) : outputOptions;
            var experiment = experiment(scenario, recordedCommand);
            playedCommand.add(compare(recordedCommand, CompletedRun.withFullTrace(experiment, own, out)));
        }
        return playedCommand;
    }

    private static Experiment experiment(Scenario scenario, Scenario.RecordedCommand recordedCommand) {
        try {
            var words = ShellSyntax.split(recordedCommand.command());
            for (String word : words) {
                var name = word.replaceFirst("=.*", "");
                if (OUTPUT_OPTIONS.contains(name)) {
                    throw CommandException.usage(
                            name + " has no place in a scenario", "give it to habemus run when you play it");
                }
            }
            return ExperimentParser.parse(RunCommand.parse(words.subList(1, words.size())));
        } catch (IllegalArgumentException unreadable) {
            throw CommandException.usage(String.valueOf(unreadable.getMessage()), "quote as in a shell")
                    .withLocation(scenario.origin() + ":" + recordedCommand.line());
        } catch (CommandException wrong) {
            throw wrong.withLocation(scenario.origin() + ":" + recordedCommand.line());
        }
    }

    private static PlayedCommand compare(Scenario.RecordedCommand recordedCommand, CompletedRun completedRun) {
        if (!completedRun.traceBuffer().isComplete()) {
            throw CommandException.failure(
                    "too much happens in " + recordedCommand.command(), "end it sooner with --until or --steps");
        }
        var answer = new ArrayList<String>();
        completedRun.traceBuffer().lines().forEach(line -> answer.addAll(TraceText.of(line)));
        answer.addAll(RunSummary.of(
                completedRun.experiment().algorithm().problem(), completedRun.runResult(), new AnsiColors(false)));
        answer.replaceAll(String::stripTrailing);
        answer.removeIf(String::isEmpty);
        return new PlayedCommand(recordedCommand, completedRun, List.copyOf(answer));
    }

    /** The same scenario, with what is said now. */
    static Scenario withNewOutputs(Scenario scenario, List<PlayedCommand> playedCommand) {
        return scenario.withOutputs(
                playedCommand.stream().map(PlayedCommand::output).toList());
    }

    static JsonObject json(Scenario scenario, List<PlayedCommand> playedCommand, OutputOptions outputOptions) {
        var runs = new JsonArray();
        playedCommand.forEach(one -> runs.add(RunJson.of(one.completedRun(), outputOptions)));
        var json = playedCommand.size() == 1 ? runs.get(0).getAsJsonObject() : new JsonObject();
        json.addProperty("scenario", scenario.origin());
        json.addProperty("asRecorded", playedCommand.stream().allMatch(PlayedCommand::isAsRecorded));
        if (playedCommand.size() > 1) {
            json.add("runs", runs);
        }
        return json;
    }

    static void print(
            Scenario scenario, List<PlayedCommand> playedCommand, OutputOptions outputOptions, Terminal terminal) {
        var out = outputOptions.isTraceToStdout() ? terminal.err() : terminal.out();
        var ansiColors = AnsiColors.of(outputOptions.color(), terminal);
        out.println(ansiColors.bold(scenario.title()));
        scenario.story().forEach(out::println);
        for (var one : playedCommand) {
            out.println();
            one.recordedCommand().notes().forEach(note -> out.println(Scenario.uncommented(note)));
            RunReport.print(one.completedRun(), outputOptions, ansiColors, out);
            out.println(one.isAsRecorded() ? "as recorded" : ansiColors.red(difference(scenario, one)));
        }
    }

    private static String difference(Scenario scenario, PlayedCommand playedCommand) {
        var recorded = playedCommand.recordedCommand().output();
        if (recorded.isEmpty()) {
            return "not recorded yet: --rewrite records it";
        }
        int at = 0;
        while (at < Math.min(recorded.size(), playedCommand.output().size())
                && recorded.get(at).equals(playedCommand.output().get(at))) {
            at++;
        }
        return "not as recorded, first in " + scenario.origin() + ":"
                + (playedCommand.recordedCommand().line() + 2 + at)
                + "\n  recorded  " + line(recorded, at)
                + "\n  now       " + line(playedCommand.output(), at);
    }

    private static String line(List<String> lines, int at) {
        return at < lines.size() ? lines.get(at).trim() : "(nothing more)";
    }
}
