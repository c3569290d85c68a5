package habemus.cli.options;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The type of an option's value: picocli converts the text with it, and errors quote its rule.
 *
 * @param rule completes "--option must be …"
 * @param example a valid value, for the hint
 * @param defaultText the value if the option is not given
 * @param parser throws {@link IllegalArgumentException} if the text is not valid
 */
public record ValueType<T>(String rule, String example, Optional<String> defaultText, Function<String, T> parser)
        implements ITypeConverter<T> {

    ValueType(String rule, String example, Function<String, T> parser) {
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

    @Override
    public T convert(String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException invalid) {
            throw new TypeConversionException(rule);
        }
    }
}
