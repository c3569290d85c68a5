package habemus.cli.simulate;

import habemus.catalogue.Algorithm;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.options.ParsedOptions;
import habemus.cli.options.RunOptions;
import habemus.cli.options.Subcommand;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.Terminal;
import habemus.lab.command.CommandException;
import habemus.lab.command.ExitCode;
import habemus.lab.experiment.ExperimentParser;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.WorldOption;
import habemus.lab.run.PlayedCommand;
import habemus.lab.run.RunJson;
import habemus.lab.run.Scenario;
import habemus.lab.run.ScenarioPlayer;
import java.io.PrintStream;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ParseResult;

/** {@code habemus run}: one simulated run, or a scenario. */
public final class RunCommand implements Subcommand {

    private static final String NOTHING_TO_RUN = "name an algorithm, gallery:NAME or a file: habemus run bully -n 5";

    @Override
    public String name() {
        return "run";
    }

    @Override
    public String summary() {
        return "Simulates one run: diagram, counts, and a verdict for every property.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var syntax = new CommandSyntax(this, "ALGORITHM | gallery:NAME | FILE.scenario  [options]")
                .positionals("ALGORITHM", false);
        RunOptions.add(syntax, RunOptions.mentionedAlgorithms(args));
        syntax.flag(
                OutputOptions.SECTION, "--shrink", "if a property is not true: shows a shorter run in which it is not");
        OutputOptions.add(syntax)
                .flag("Scenario files:", "--rewrite", "records the current output")
                .exitCodes(
                        "0  no property that counts is violated (see --require)",
                        "1  a property that counts is violated, or a step fails")
                .examples(
                        "habemus run ricart-agrawala -n 3 --seed 7",
                        "habemus run ricart-agrawala -n 5 --loss 0.1 --shrink",
                        "habemus run bully -n 5 --crash 5@0 --initiators 1 --svg bully.svg",
                        "habemus run chang-roberts -n 8 --topology ring:random --network bag --json",
                        "habemus run raft -n 5 --proposals 10 --reads 20 --crash 1@500 --log-svg logs.svg",
                        "habemus run ricart-agrawala -n 2 --moves 1request.2from1.1from2.2request.1from2",
                        "habemus run bully-stable -n 3 --crash 3@0 --restart 3@400 --require best-wins",
                        "habemus run gallery:ra-41-34");
        return syntax;
    }

    private static Algorithm algorithm(String target) {
        if (ScenarioGallery.isScenario(target)) {
            throw CommandException.usage("a scenario cannot run another scenario", "name an algorithm");
        }
        return RunOptions.algorithm(target);
    }

    private static String target(ParseResult parsed) {
        return ParsedOptions.firstArgument(parsed)
                .orElseThrow(() -> CommandException.usage("ALGORITHM is missing", NOTHING_TO_RUN));
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var target = target(parsed);
        var output = OutputOptions.of(parsed);
        var given = RunOptions.experimentOptions(parsed);
        boolean rewrite = parsed.hasMatchedOption("--rewrite");
        if (ScenarioGallery.isScenario(target)) {
            rejectWithScenario(given.keySet());
            rejectWithScenario(parsed.hasMatchedOption("--shrink") ? Set.of("--shrink") : Set.of());
            return rewrite ? rewrite(target, output, terminal) : play(target, output, terminal);
        }
        var arguments = RunArguments.of(RunOptions.algorithm(target), given);
        if (rewrite) {
            throw CommandException.usage("--rewrite is for scenarios, not for algorithms: " + target, "leave it out");
        }
        return parsed.hasMatchedOption("--shrink")
                ? shrink(arguments, output, terminal)
                : execute(arguments, output, terminal, "", Optional.empty());
    }

    /** Shows the shrunk run in place of the original, if there is one. */
    private static int shrink(RunArguments arguments, OutputOptions output, Terminal terminal) {
        if (arguments.has(WorldOption.MOVES)) {
            throw CommandException.usage("--shrink and --moves exclude each other", "leave one of them out");
        }
        var experiment = ExperimentParser.parse(arguments);
        var violated = ShrunkRun.findViolatedProperty(experiment.run(), experiment.required());
        var shorter = violated.flatMap(property -> ShrunkRun.shrink(experiment, property));
        var note = violated.isEmpty()
                ? "nothing to shrink: every property is true here"
                : shorter.map(ShrunkRun::text).orElse(ShrunkRun.NOT_SHRUNK);
        return execute(shorter.map(ShrunkRun::arguments).orElse(arguments), output, terminal, note, shorter);
    }

    /** @param note printed before the run, if the output is text */
    private static int execute(
            RunArguments arguments, OutputOptions output, Terminal terminal, String note, Optional<ShrunkRun> shorter) {
        var colors = terminal.colors(output.color());
        var completedRun = ExperimentRunner.run(ExperimentParser.parse(arguments), output, terminal.out());
        var people = output.isTraceToStdout() ? terminal.err() : terminal.out();
        if (output.json()) {
            var json = RunJson.of(completedRun, output.isTraceToStdout());
            shorter.ifPresent(run -> json.add("shrunk", run.json()));
            terminal.out().println(json);
        } else {
            if (!note.isEmpty()) {
                people.println(note);
                people.println();
            }
            RunReport.print(completedRun, output, colors, people);
        }
        return completedRun.exitCode();
    }

    private static void rejectWithScenario(Set<String> given) {
        given.stream().findFirst().ifPresent(name -> {
            throw CommandException.usage(
                    name + " cannot be combined with a scenario", "run the algorithm, or change the scenario file");
        });
    }

    private static int play(String target, OutputOptions output, Terminal terminal) {
        var scenario = ScenarioGallery.read(target);
        var playedCommand = play(scenario, output, terminal.out());
        if (output.json()) {
            terminal.out().println(ScenarioPlayer.json(scenario, playedCommand, output.isTraceToStdout()));
        } else {
            ScenarioReport.print(scenario, playedCommand, output, terminal);
        }
        return exitCode(playedCommand);
    }

    /** Plays a scenario. The files of several runs are numbered. */
    static List<PlayedCommand> play(Scenario scenario, OutputOptions output, PrintStream out) {
        boolean several = scenario.recordedCommands().size() > 1;
        return ScenarioPlayer.play(
                scenario,
                RunCommand::algorithm,
                (experiment, number) -> ExperimentRunner.runWithFullTrace(
                        experiment, several ? output.withNumber(number) : output, out));
    }

    private static int rewrite(String target, OutputOptions output, Terminal terminal) {
        if (!ScenarioGallery.isFile(target)) {
            throw CommandException.usage(
                    "--rewrite needs a file, not " + target, "habemus run scenarios/NAME.scenario --rewrite");
        }
        var scenario = ScenarioGallery.read(target);
        var playedCommand = play(scenario, output, terminal.out());
        AtomicOutputFile.write(
                target, ScenarioPlayer.withNewOutputs(scenario, playedCommand).format());
        if (output.json()) {
            terminal.out().println(ScenarioPlayer.json(scenario, playedCommand, output.isTraceToStdout()));
        } else {
            long changed = playedCommand.stream()
                    .filter(command -> !command.isAsRecorded())
                    .count();
            terminal.out().println(target + ": " + changed + " of " + playedCommand.size() + " outputs changed");
        }
        return exitCode(playedCommand);
    }

    private static int exitCode(List<PlayedCommand> playedCommand) {
        return playedCommand.stream()
                .mapToInt(command -> command.completedRun().exitCode())
                .max()
                .orElse(ExitCode.OK);
    }
}
