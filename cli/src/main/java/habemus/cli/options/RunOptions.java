package habemus.cli.options;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.Catalogue;
import habemus.lab.command.CommandException;
import habemus.lab.experiment.AlgorithmOptionText;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.WorldOption;
import habemus.lab.source.AlgorithmFile;
import habemus.lab.source.InMemoryCompiler;
import habemus.lab.source.InvalidSourceException;
import habemus.lab.source.SourceFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The options of {@code run}, {@code fuzz} and {@code check}: those of the world, and those of the algorithm. */
public final class RunOptions {

    private RunOptions() {}

    /** Every algorithm named on the command line. The options are not parsed yet: a name may be an option's value. */
    public static List<Algorithm> mentionedAlgorithms(List<String> args) {
        return Catalogue.ALL.stream()
                .filter(algorithm -> args.contains(algorithm.name()))
                .toList();
    }

    /** @param name the name of an algorithm of the catalogue, or a Java file that holds one */
    public static Algorithm algorithm(String name) {
        return SourceFile.isNamed(name) ? fromFile(name) : RunArguments.catalogueAlgorithm(name);
    }

    private static Algorithm fromFile(String name) {
        try {
            return AlgorithmFile.load(name);
        } catch (InvalidSourceException invalid) {
            throw CommandException.usage(invalid.message(), invalid.hint()).withDetails(invalid.details());
        } catch (InMemoryCompiler.NoCompilerException runtime) {
            throw CommandException.failure(String.valueOf(runtime.getMessage()), "use a JDK: set JAVA_HOME to one");
        }
    }

    /** Adds all options of the world. */
    public static void add(CommandSyntax syntax, List<Algorithm> named) {
        add(syntax, named, List.of(WorldOption.values()));
    }

    /** Options of other algorithms are added as hidden ones, so that the error can name their owner. */
    public static void add(CommandSyntax syntax, List<Algorithm> named, List<WorldOption> world) {
        for (Algorithm algorithm : named) {
            addOptions(syntax, algorithm);
        }
        for (WorldOption option : world) {
            var heading = option.section().heading();
            if (option.isFlag()) {
                syntax.flag(heading, option.option(), option.help());
                continue;
            }
            syntax.exampleValue(option.option(), option.example());
            if (option.isRepeatable()) {
                syntax.values(heading, option.option(), option.form(), option.help());
            } else {
                syntax.value(heading, option.option(), option.form(), option.help());
            }
        }
        for (Algorithm algorithm : Catalogue.ALL) {
            algorithm
                    .options()
                    .forEach(algorithmOption -> syntax.hiddenOption(
                            "--" + algorithmOption.name(), AlgorithmOptionText.isFlag(algorithmOption)));
        }
    }

    private static void addOptions(CommandSyntax syntax, Algorithm algorithm) {
        var heading = "Options of " + algorithm.name() + ":";
        for (AlgorithmOption<?> algorithmOption : algorithm.options()) {
            var name = "--" + algorithmOption.name();
            if (AlgorithmOptionText.isFlag(algorithmOption)) {
                syntax.flag(heading, name, algorithmOption.help());
            } else {
                var defaultText = AlgorithmOptionText.defaultText(algorithmOption);
                var help = defaultText.isEmpty()
                        ? algorithmOption.help()
                        : algorithmOption.help() + " (default: " + defaultText + ")";
                syntax.value(heading, name, algorithmOption.valueSyntax(), help);
            }
        }
    }

    /** Gives {@code --swarm} without a value its default, so that it does not consume the next argument. */
    public static List<String> expandBareSwarm(List<String> args) {
        var swarm = WorldOption.SWARM.option();
        var own = new ArrayList<>(beforeDoubleDash(args));
        own.replaceAll(argument -> argument.equals(swarm) ? swarm + "=" + WorldOption.GUARANTEED : argument);
        own.addAll(args.subList(own.size(), args.size()));
        return List.copyOf(own);
    }

    /** The arguments before {@code --}, which starts the child command of lock and elect. */
    public static List<String> beforeDoubleDash(List<String> args) {
        return args.contains("--") ? args.subList(0, args.indexOf("--")) : args;
    }

    public static Map<String, List<String>> experimentOptions(ParseResult parsed) {
        return experimentOptions(parsed, List.of(WorldOption.values()));
    }

    /** The options that define the run, as they were written; without output options. */
    public static Map<String, List<String>> experimentOptions(ParseResult parsed, List<WorldOption> world) {
        var given = new LinkedHashMap<String, List<String>>();
        for (OptionSpec option : parsed.matchedOptions()) {
            var name = option.longestName();
            if (isExperimentOption(name, world)) {
                given.put(name, option.stringValues());
            }
        }
        return given;
    }

    private static boolean isExperimentOption(String name, List<WorldOption> world) {
        return WorldOption.find(name).filter(world::contains).isPresent()
                || Catalogue.ALL.stream()
                        .flatMap(algorithm -> algorithm.options().stream())
                        .anyMatch(algorithmOption -> name.equals("--" + algorithmOption.name()));
    }
}
