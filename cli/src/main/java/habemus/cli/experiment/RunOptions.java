package habemus.cli.experiment;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.Catalogue;
import habemus.cli.options.CommandSyntax;
import habemus.cli.options.DurationOptions;
import habemus.cli.terminal.CommandException;
import habemus.cli.terminal.SpellingSuggestion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The words of {@code run} and {@code fuzz}: the options of the world, and those of the algorithms named. */
public final class RunOptions {

    private RunOptions() {}

    /** Before it is known what is an option's value and what is not: whatever is the name of an algorithm. */
    public static List<Algorithm> mentionedAlgorithms(List<String> args) {
        return Catalogue.ALL.stream()
                .filter(algorithm -> args.contains(algorithm.name()))
                .toList();
    }

    public static Algorithm algorithm(String name) {
        return Catalogue.find(name).orElseThrow(() -> {
            var names = Catalogue.ALL.stream().map(Algorithm::name).toList();
            return CommandException.usage(
                    "there is no algorithm '" + name + "'",
                    SpellingSuggestion.hint(name, names) + "habemus list shows all");
        });
    }

    /** All of them. */
    public static void add(CommandSyntax commandSyntax, List<Algorithm> named) {
        add(commandSyntax, named, List.of(WorldOption.values()));
    }

    /** Options of other algorithms are understood too, to say whose they are. */
    public static void add(CommandSyntax commandSyntax, List<Algorithm> named, List<WorldOption> world) {
        for (Algorithm algorithm : named) {
            addOptions(commandSyntax, algorithm);
        }
        for (WorldOption option : world) {
            var heading = option.section().heading();
            if (option.isFlag()) {
                commandSyntax.flag(heading, option.option(), option.help());
            } else if (option.isRepeatable()) {
                commandSyntax.values(heading, option.option(), option.form(), option.help());
            } else {
                commandSyntax.value(heading, option.option(), option.form(), option.help());
            }
        }
        for (Algorithm algorithm : Catalogue.ALL) {
            algorithm
                    .algorithmOptions()
                    .forEach(algorithmOption ->
                            commandSyntax.hiddenOption("--" + algorithmOption.name(), isFlag(algorithmOption)));
        }
    }

    private static void addOptions(CommandSyntax commandSyntax, Algorithm algorithm) {
        var heading = "Options of " + algorithm.name() + ":";
        for (AlgorithmOption<?> algorithmOption : algorithm.algorithmOptions()) {
            var name = "--" + algorithmOption.name();
            if (isFlag(algorithmOption)) {
                commandSyntax.flag(heading, name, algorithmOption.help());
            } else {
                var standard = defaultText(algorithmOption);
                var help = standard.isEmpty()
                        ? algorithmOption.help()
                        : algorithmOption.help() + " (standard: " + standard + ")";
                commandSyntax.value(heading, name, algorithmOption.valueSyntax(), help);
            }
        }
    }

    static boolean isFlag(AlgorithmOption<?> algorithmOption) {
        return algorithmOption.valueSyntax().isEmpty();
    }

    /** What an option is if nothing is said, as it would be written. */
    public static String defaultText(AlgorithmOption<?> algorithmOption) {
        return switch (algorithmOption.defaultValue()) {
            case Duration time -> DurationOptions.formatMillis(time);
            case List<?> list -> list.stream().map(String::valueOf).collect(Collectors.joining(","));
            case Object other -> other.toString();
        };
    }

    /** {@code --swarm} needs no value, which must not make it swallow the word after it. */
    public static List<String> expandBareSwarm(List<String> args) {
        var alone = WorldOption.SWARM.option();
        var own = new ArrayList<>(beforeDoubleDash(args));
        own.replaceAll(word -> word.equals(alone) ? alone + "=" + WorldOption.GUARANTEED : word);
        own.addAll(args.subList(own.size(), args.size()));
        return List.copyOf(own);
    }

    /** Without the words of a command that is to be run, which come after {@code --}. */
    public static List<String> beforeDoubleDash(List<String> args) {
        return args.contains("--") ? args.subList(0, args.indexOf("--")) : args;
    }

    public static Map<String, List<String>> experimentOptions(ParseResult parsed) {
        return experimentOptions(parsed, List.of(WorldOption.values()));
    }

    /** The options that say what is run, as they were written; not those that say what is done with it. */
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
                        .flatMap(algorithm -> algorithm.algorithmOptions().stream())
                        .anyMatch(algorithmOption -> name.equals("--" + algorithmOption.name()));
    }
}
