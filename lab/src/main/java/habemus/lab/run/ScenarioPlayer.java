package habemus.lab.run;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.catalogue.Algorithm;
import habemus.lab.command.CommandException;
import habemus.lab.command.CommandLineParser;
import habemus.lab.experiment.Experiment;
import habemus.lab.experiment.ExperimentParser;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.RunCommandLine;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Plays a scenario: executes its runs and compares their output with the recorded one. */
public final class ScenarioPlayer {

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

    /** Executes a run of a scenario and records all its events. */
    public interface Runner {

        /** @param number of the run in the scenario, from 1 */
        CompletedRun run(Experiment experiment, int number);
    }

    private ScenarioPlayer() {}

    /** Plays the commands with algorithms of the catalogue. */
    public static List<PlayedCommand> play(Scenario scenario) {
        return play(
                scenario,
                RunArguments::catalogueAlgorithm,
                (experiment, number) -> CompletedRun.of(experiment, TraceBuffer.forDrawing()));
    }

    /** @param algorithms finds an algorithm by the name in a command */
    public static List<PlayedCommand> play(Scenario scenario, Function<String, Algorithm> algorithms, Runner runner) {
        var commands = new ArrayList<PlayedCommand>();
        for (var recordedCommand : scenario.recordedCommands()) {
            var experiment = experiment(scenario, recordedCommand, algorithms);
            commands.add(PlayedCommand.of(recordedCommand, runner.run(experiment, commands.size() + 1)));
        }
        return commands;
    }

    private static Experiment experiment(
            Scenario scenario, Scenario.RecordedCommand recordedCommand, Function<String, Algorithm> algorithms) {
        try {
            var words = CommandLineParser.split(recordedCommand.command(), "run");
            for (String word : words) {
                var name = word.replaceFirst("=.*", "");
                if (OUTPUT_OPTIONS.contains(name)) {
                    throw CommandException.usage(name + " is not allowed in a scenario", "give it to habemus run");
                }
            }
            return ExperimentParser.parse(RunCommandLine.parse(words, algorithms));
        } catch (CommandException wrong) {
            throw wrong.withLocation(scenario.origin() + ":" + recordedCommand.line());
        }
    }

    /** The same scenario with the current output. */
    public static Scenario withNewOutputs(Scenario scenario, List<PlayedCommand> commands) {
        return scenario.withOutputs(commands.stream().map(PlayedCommand::output).toList());
    }

    /** @param isTraced whether the document has the traces */
    public static JsonObject json(Scenario scenario, List<PlayedCommand> commands, boolean isTraced) {
        var runs = new JsonArray();
        commands.forEach(command -> runs.add(RunJson.of(command.completedRun(), isTraced)));
        var json = commands.size() == 1 ? runs.get(0).getAsJsonObject() : new JsonObject();
        json.addProperty("scenario", scenario.origin());
        json.addProperty("asRecorded", commands.stream().allMatch(PlayedCommand::isAsRecorded));
        if (commands.size() > 1) {
            json.add("runs", runs);
        }
        return json;
    }
}
