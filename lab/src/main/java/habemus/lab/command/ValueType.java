package habemus.lab.command;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The type of an option's value: it converts the text, and errors quote its rule.
 *
 * @param rule completes "--option must be …"
 * @param example a valid value, for the hint
 * @param defaultText the value if the option is not given
 * @param parser throws {@link IllegalArgumentException} if the text is not valid
 */
public record ValueType<T>(String rule, String example, Optional<String> defaultText, Function<String, T> parser) {

    public static final ValueType<String> TEXT = new ValueType<>("a text", "", Function.identity());

    public ValueType(String rule, String example, Function<String, T> parser) {
        this(rule, example, Optional.empty(), parser);
    }

    /** One of a few words. */
    public static ValueType<String> choice(String... words) {
        var known = List.of(words);
        return new ValueType<>("one of " + String.join(", ", known), known.getFirst(), text -> {
            if (!known.contains(text)) {
                throw new IllegalArgumentException(text);
            }
            return text;
        });
    }

    /** The help and the hint of an error show the default. */
    public ValueType<T> withDefault(Object value) {
        return new ValueType<>(rule, value.toString(), Optional.of(value.toString()), parser);
    }

    /**
     * The value of an option.
     *
     * @throws CommandException if the text is not valid
     */
    public T parse(String option, String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException unreadable) {
            throw invalid(option, text);
        }
    }

    public CommandException invalid(String option, String text) {
        return CommandException.usage(
                option + " must be " + rule + ", was '" + text + "'", "write " + option + " " + example);
    }
}
