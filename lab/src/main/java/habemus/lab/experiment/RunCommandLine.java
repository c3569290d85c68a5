package habemus.lab.experiment;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmOption;
import habemus.catalogue.Catalogue;
import habemus.lab.command.CommandException;
import habemus.lab.command.CommandLineParser;
import habemus.lab.command.OptionSyntax;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The command line of a run as text: {@code ricart-agrawala -n 3 --crash 2@8}. */
public final class RunCommandLine {

    private static final String COMMAND = "run";

    private RunCommandLine() {}

    /**
     * The arguments of a line, which may start with {@code ./habemus run}.
     *
     * @throws CommandException if the line is not a run of an algorithm of the catalogue
     */
    public static RunArguments parse(String line) {
        return parse(CommandLineParser.split(line, COMMAND), RunArguments::catalogueAlgorithm);
    }

    /** @param algorithms finds an algorithm by the first argument */
    public static RunArguments parse(List<String> words, Function<String, Algorithm> algorithms) {
        var parser = new CommandLineParser(COMMAND, 1, options(words, List.of(WorldOption.values())));
        var parsed = parser.parse(words);
        var name = parsed.firstPositional()
                .orElseThrow(() ->
                        CommandException.usage("ALGORITHM is missing", "name an algorithm: habemus run bully -n 5"));
        return RunArguments.of(algorithms.apply(name), parsed.options());
    }

    /**
     * The options of the world and of the algorithms. Those of algorithms that no word names are hidden ones: they are
     * parsed so that the error can name their owner.
     */
    public static List<OptionSyntax> options(List<String> words, List<WorldOption> world) {
        var options = new ArrayList<OptionSyntax>();
        var others = new ArrayList<OptionSyntax>();
        for (Algorithm algorithm : Catalogue.ALL) {
            boolean isNamed = words.contains(algorithm.name());
            for (AlgorithmOption<?> option : algorithm.options()) {
                if (isNamed) {
                    options.add(syntax(option));
                } else {
                    others.add(syntax(option).hidden());
                }
            }
        }
        world.forEach(option -> options.add(syntax(option)));
        options.addAll(others);
        return options;
    }

    private static OptionSyntax syntax(AlgorithmOption<?> option) {
        var name = "--" + option.name();
        return AlgorithmOptionText.isFlag(option)
                ? OptionSyntax.flag(name)
                : OptionSyntax.value(name, option.valueSyntax());
    }

    private static OptionSyntax syntax(WorldOption option) {
        if (option.isFlag()) {
            return OptionSyntax.flag(option.option());
        }
        var syntax = OptionSyntax.value(option.option(), option.form()).withExample(option.example());
        var bare = option == WorldOption.SWARM ? syntax.withBareValue(WorldOption.GUARANTEED) : syntax;
        return option.isRepeatable() ? bare.repeatable() : bare;
    }
}
