package habemus.cli.options;

import habemus.lab.command.CommandException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ParseResult;

/** Reads the values of parsed options. */
public final class ParsedOptions {

    private ParsedOptions() {}

    /** The value of an option that was given or has a default. Its type is that of the option, as in picocli. */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public static <T> T get(ParseResult parsed, String option) {
        return ParsedOptions.<T>find(parsed, option)
                .orElseThrow(() -> new IllegalStateException(option + " has no default value"));
    }

    /** The value that was given, or the default; empty if there is neither. */
    public static <T> Optional<T> find(ParseResult parsed, String option) {
        var spec = parsed.commandSpec().findOption(option);
        return spec == null ? Optional.empty() : Optional.ofNullable(spec.<T>getValue());
    }

    /** The text of an option without a type. */
    public static Optional<String> text(ParseResult parsed, String option) {
        return find(parsed, option);
    }

    /** A count that fits an {@code int}. */
    public static int getInt(ParseResult parsed, String option) {
        return Math.toIntExact(ParsedOptions.<Long>get(parsed, option));
    }

    /** @throws CommandException if the option is missing */
    public static void require(ParseResult parsed, String option, String example) {
        if (!parsed.hasMatchedOption(option)) {
            throw CommandException.usage(option + " is missing", "add " + option + " " + example);
        }
    }

    /** @throws CommandException if one of the options is given */
    public static void reject(ParseResult parsed, List<String> options, String reason, String hint) {
        options.stream().filter(parsed::hasMatchedOption).findFirst().ifPresent(option -> {
            throw CommandException.usage(option + " " + reason, hint);
        });
    }

    /** The arguments that are not options, in order. */
    public static List<String> arguments(ParseResult parsed) {
        return parsed.matchedPositionals().isEmpty()
                ? List.of()
                : parsed.matchedPositionals().getFirst().stringValues();
    }

    public static Optional<String> firstArgument(ParseResult parsed) {
        return arguments(parsed).stream().findFirst();
    }
}
