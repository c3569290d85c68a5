package habemus.lab.command;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A parsed command line.
 *
 * @param options the values of every option that is given, by its name; {@code true} for a flag
 * @param positionals the words that are not options
 */
public record CommandLineArguments(Map<String, List<String>> options, List<String> positionals) {

    public Optional<String> firstPositional() {
        return positionals.stream().findFirst();
    }
}
