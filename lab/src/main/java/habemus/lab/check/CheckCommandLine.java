package habemus.lab.check;

import habemus.lab.command.CommandException;
import habemus.lab.command.CommandLineParser;
import habemus.lab.experiment.RunArguments;
import habemus.lab.experiment.RunCommandLine;

/** The command line of a check as text: {@code bully -n 3 --crashes 1 --timing synchronous}. */
public final class CheckCommandLine {

    private static final String COMMAND = "check";

    private CheckCommandLine() {}

    /**
     * The arguments of a line, which may start with {@code ./habemus check}.
     *
     * @throws CommandException if the line is not a check of an algorithm of the catalogue
     */
    public static CheckArguments parse(String line) {
        var words = CommandLineParser.split(line, COMMAND);
        var options = RunCommandLine.options(words, CheckOption.WORLD);
        for (CheckOption option : CheckOption.values()) {
            options.add(option.syntax());
        }
        var parsed = new CommandLineParser(COMMAND, 1, options).parse(words);
        var name = parsed.firstPositional().orElseThrow(CheckCommandLine::missingAlgorithm);
        return CheckArguments.of(RunArguments.catalogueAlgorithm(name), parsed.options());
    }

    public static CommandException missingAlgorithm() {
        return CommandException.usage("ALGORITHM is missing", "habemus check lamport");
    }
}
