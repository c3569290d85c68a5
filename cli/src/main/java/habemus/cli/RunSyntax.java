package habemus.cli;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import habemus.catalogue.Option;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The words of {@code run} and {@code fuzz}: the options of the world, and those of the algorithms named. */
final class RunSyntax {

    private RunSyntax() {}

    /** Before it is known what is an option's value and what is not: whatever is the name of an algorithm. */
    static List<Algorithm> named(List<String> args) {
        return Catalogue.ALL.stream()
                .filter(algorithm -> args.contains(algorithm.name()))
                .toList();
    }

    static Algorithm algorithm(String name) {
        return Catalogue.find(name).orElseThrow(() -> {
            var names = Catalogue.ALL.stream().map(Algorithm::name).toList();
            return Refusal.wrong(
                    "there is no algorithm '" + name + "'", Nearest.hint(name, names) + "habemus list shows all");
        });
    }

    /** All of them. */
    static void add(Sheet sheet, List<Algorithm> named) {
        add(sheet, named, List.of(WorldOption.values()));
    }

    /** Options of other algorithms are understood too, to say whose they are. */
    static void add(Sheet sheet, List<Algorithm> named, List<WorldOption> world) {
        for (Algorithm algorithm : named) {
            addOptions(sheet, algorithm);
        }
        for (WorldOption option : world) {
            var heading = option.section().heading();
            if (option.isFlag()) {
                sheet.flag(heading, option.option(), option.help());
            } else if (option.repeatable()) {
                sheet.values(heading, option.option(), option.form(), option.help());
            } else {
                sheet.value(heading, option.option(), option.form(), option.help());
            }
        }
        for (Algorithm algorithm : Catalogue.ALL) {
            algorithm.options().forEach(option -> sheet.hidden("--" + option.name(), isFlag(option)));
        }
    }

    private static void addOptions(Sheet sheet, Algorithm algorithm) {
        var heading = "Options of " + algorithm.name() + ":";
        for (Option<?> option : algorithm.options()) {
            var name = "--" + option.name();
            if (isFlag(option)) {
                sheet.flag(heading, name, option.help());
            } else {
                var standard = standard(option);
                var help = standard.isEmpty() ? option.help() : option.help() + " (standard: " + standard + ")";
                sheet.value(heading, name, option.form(), help);
            }
        }
    }

    static boolean isFlag(Option<?> option) {
        return option.form().isEmpty();
    }

    /** What an option is if nothing is said, as it would be written. */
    static String standard(Option<?> option) {
        return switch (option.standard()) {
            case Duration time -> Times.text(time);
            case List<?> list -> list.stream().map(String::valueOf).collect(Collectors.joining(","));
            case Object other -> other.toString();
        };
    }

    /** {@code --swarm} needs no value, which must not make it swallow the word after it. */
    static List<String> prepared(List<String> args) {
        var alone = WorldOption.SWARM.option();
        var own = new ArrayList<>(own(args));
        own.replaceAll(word -> word.equals(alone) ? alone + "=" + WorldOption.PROMISED : word);
        own.addAll(args.subList(own.size(), args.size()));
        return List.copyOf(own);
    }

    /** Without the words of a command that is to be run, which come after {@code --}. */
    static List<String> own(List<String> args) {
        return args.contains("--") ? args.subList(0, args.indexOf("--")) : args;
    }

    static Map<String, List<String>> given(ParseResult parsed) {
        return given(parsed, List.of(WorldOption.values()));
    }

    /** The options that say what is run, as they were written; not those that say what is done with it. */
    static Map<String, List<String>> given(ParseResult parsed, List<WorldOption> world) {
        var given = new LinkedHashMap<String, List<String>>();
        for (OptionSpec option : parsed.matchedOptions()) {
            var name = option.longestName();
            if (isAboutTheRun(name, world)) {
                given.put(name, option.stringValues());
            }
        }
        return given;
    }

    private static boolean isAboutTheRun(String name, List<WorldOption> world) {
        return WorldOption.find(name).filter(world::contains).isPresent()
                || Catalogue.ALL.stream()
                        .flatMap(algorithm -> algorithm.options().stream())
                        .anyMatch(option -> name.equals("--" + option.name()));
    }
}
