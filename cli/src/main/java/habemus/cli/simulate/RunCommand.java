package habemus.cli.simulate;

import habemus.catalogue.Algorithm;
import habemus.cli.experiment.ExperimentParser;
import habemus.cli.experiment.RunArguments;
import habemus.cli.experiment.RunOptions;
import habemus.cli.experiment.WorldOption;
import habemus.cli.options.Command;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.OutputOptions;
import habemus.cli.terminal.AnsiColors;
import habemus.cli.terminal.AtomicOutputFile;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.ExitCode;
import habemus.cli.terminal.Terminal;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.ParseResult;

/** {@code habemus run}: one simulated run, or a scenario. */
public final class RunCommand implements Command {

    private static final String NOTHING_TO_RUN =
            "name an algorithm, gallery:NAME or a file, as in habemus run bully -n 5";

    @Override
    public String name() {
        return "run";
    }

    @Override
    public String summary() {
        return "Makes one run by its seed: diagram, counts, the verdict of every property.";
    }

    @Override
    public CommandSyntax syntax(List<String> args) {
        var commandSyntax = new CommandSyntax(this, "ALGORITHM | gallery:NAME | FILE.scenario  [options]")
                .positionals("ALGORITHM", false);
        RunOptions.add(commandSyntax, RunOptions.mentionedAlgorithms(args));
        OutputOptions.add(commandSyntax)
                .flag("What to do with it:", "--shrink", "if it violates something: shows a short run that does, too")
                .flag("Of a scenario in a file:", "--rewrite", "records what is said now")
                .examples(
                        "habemus run ricart-agrawala -n 3 --seed 7",
                        "habemus run ricart-agrawala -n 5 --loss 0.1 --shrink",
                        "habemus run bully -n 5 --crash 5@0 --initiators 1 --svg bully.svg",
                        "habemus run chang-roberts -n 8 --topology ring:random --network bag --json",
                        "habemus run ricart-agrawala -n 2 --moves 1ask.2from1.1from2.2ask.1from2",
                        "habemus run gallery:ra-41-34");
        return commandSyntax;
    }

    /** Reads what may stand in a scenario: an algorithm and its world. */
    public static RunArguments parse(List<String> args) {
        var commandSyntax = new CommandSyntax(new RunCommand(), "").positionals("ALGORITHM", false);
        RunOptions.add(commandSyntax, RunOptions.mentionedAlgorithms(args));
        var parsed = commandSyntax.parse(RunOptions.expandBareSwarm(args));
        return RunArguments.of(algorithm(target(parsed)), RunOptions.experimentOptions(parsed));
    }

    private static Algorithm algorithm(String target) {
        if (ScenarioGallery.isScenario(target)) {
            throw CommandException.usage("a scenario does not run another", "name an algorithm");
        }
        return RunOptions.algorithm(target);
    }

    private static String target(ParseResult parsed) {
        var words = parsed.matchedPositionals();
        if (words.isEmpty()) {
            throw CommandException.usage("there is nothing to run", NOTHING_TO_RUN);
        }
        return words.getFirst().stringValues().getFirst();
    }

    @Override
    public int run(ParseResult parsed, Terminal terminal) {
        var target = target(parsed);
        var outputOptions = OutputOptions.of(parsed);
        var given = RunOptions.experimentOptions(parsed);
        boolean rewrite = parsed.hasMatchedOption("--rewrite");
        if (ScenarioGallery.isScenario(target)) {
            rejectWithScenario(given.keySet());
            rejectWithScenario(parsed.hasMatchedOption("--shrink") ? Set.of("--shrink") : Set.of());
            return rewrite ? rewrite(target, outputOptions, terminal) : play(target, outputOptions, terminal);
        }
        var words = RunArguments.of(RunOptions.algorithm(target), given);
        if (rewrite) {
            throw CommandException.usage(
                    "--rewrite is for scenarios, and " + target + " is an algorithm", "leave it out");
        }
        return parsed.hasMatchedOption("--shrink")
                ? shrink(words, outputOptions, terminal)
                : execute(words, outputOptions, terminal, "", Optional.empty());
    }

    /** Shows the short run in place of the one that was asked for, if there is one. */
    private static int shrink(RunArguments words, OutputOptions outputOptions, Terminal terminal) {
        if (words.has(WorldOption.MOVES)) {
            throw CommandException.usage("--shrink is for simulated runs", "leave out --moves, or --shrink");
        }
        var experiment = ExperimentParser.parse(words);
        var violated = ShrunkRun.findViolatedProperty(experiment.run());
        var shorter = violated.flatMap(property -> ShrunkRun.shrink(experiment, property));
        var note = violated.isEmpty()
                ? "nothing to shrink: nothing is violated"
                : shorter.map(ShrunkRun::text).orElse(ShrunkRun.NOT_SHRUNK);
        return execute(shorter.map(ShrunkRun::arguments).orElse(words), outputOptions, terminal, note, shorter);
    }

    /** @param note what is said before it, to people */
    private static int execute(
            RunArguments words,
            OutputOptions outputOptions,
            Terminal terminal,
            String note,
            Optional<ShrunkRun> shorter) {
        var ansiColors = AnsiColors.of(outputOptions.color(), terminal);
        var completedRun = CompletedRun.of(ExperimentParser.parse(words), outputOptions, terminal.out());
        var people = outputOptions.isTraceToStdout() ? terminal.err() : terminal.out();
        if (outputOptions.json()) {
            var json = RunJson.of(completedRun, outputOptions);
            shorter.ifPresent(run -> json.add("shrunk", run.json()));
            terminal.out().println(json);
        } else {
            if (!note.isEmpty()) {
                people.println(note);
                people.println();
            }
            RunReport.print(completedRun, outputOptions, ansiColors, people);
        }
        return completedRun.exitCode();
    }

    private static void rejectWithScenario(Set<String> given) {
        given.stream().findFirst().ifPresent(name -> {
            throw CommandException.usage(
                    name + " does not go with a scenario, which says itself what is run",
                    "run the algorithm, or change the file");
        });
    }

    private static int play(String target, OutputOptions outputOptions, Terminal terminal) {
        AnsiColors.of(outputOptions.color(), terminal); // complains before anything is run
        var scenario = ScenarioGallery.read(target);
        var playedCommand = ScenarioPlayer.play(scenario, outputOptions, terminal.out());
        if (outputOptions.json()) {
            terminal.out().println(ScenarioPlayer.json(scenario, playedCommand, outputOptions));
        } else {
            ScenarioPlayer.print(scenario, playedCommand, outputOptions, terminal);
        }
        return exitCode(playedCommand);
    }

    private static int rewrite(String target, OutputOptions outputOptions, Terminal terminal) {
        if (!ScenarioGallery.isFile(target)) {
            throw CommandException.usage(
                    "--rewrite is for files, and " + target + " is packed",
                    "give the file, as in habemus run scenarios/NAME.scenario --rewrite");
        }
        var scenario = ScenarioGallery.read(target);
        var playedCommand = ScenarioPlayer.play(scenario, outputOptions, terminal.out());
        AtomicOutputFile.write(
                target, ScenarioPlayer.withNewOutputs(scenario, playedCommand).format());
        if (outputOptions.json()) {
            terminal.out().println(ScenarioPlayer.json(scenario, playedCommand, outputOptions));
        } else {
            long changed =
                    playedCommand.stream().filter(one -> !one.isAsRecorded()).count();
            terminal.out().println(target + ": " + changed + " of " + playedCommand.size() + " answers changed");
        }
        return exitCode(playedCommand);
    }

    private static int exitCode(List<ScenarioPlayer.PlayedCommand> playedCommand) {
        return playedCommand.stream()
                .mapToInt(one -> one.completedRun().exitCode())
                .max()
                .orElse(ExitCode.OK);
    }
}
