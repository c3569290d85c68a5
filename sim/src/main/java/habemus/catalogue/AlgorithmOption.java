package habemus.catalogue;

import habemus.world.KebabCase;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An option of an algorithm.
 *
 * @param help one line for the help text
 * @param valueSyntax the syntax of a value in the help text; empty for a flag
 */
public record AlgorithmOption<T>(
        String name, T defaultValue, String help, String valueSyntax, Function<String, T> parser) {

    public static AlgorithmOption<Boolean> flag(String name, String help) {
        return new AlgorithmOption<>(name, false, help, "", AlgorithmOption::parseFlag);
    }

    /** A flag that is on by default: {@code --name false} turns it off. */
    public static AlgorithmOption<Boolean> enabledFlag(String name, String help) {
        return new AlgorithmOption<>(name, true, help, "true|false", AlgorithmOption::parseFlag);
    }

    /** A duration in milliseconds. */
    public static AlgorithmOption<Duration> duration(String name, Duration defaultValue, String help) {
        return new AlgorithmOption<>(name, defaultValue, help, "MS", AlgorithmOption::parseDuration);
    }

    /** A duration of at least one millisecond. A timer of zero would keep the simulated clock from advancing. */
    public static AlgorithmOption<Duration> positiveDuration(String name, Duration defaultValue, String help) {
        return new AlgorithmOption<>(name, defaultValue, help, "MS≥1", AlgorithmOption::parsePositiveDuration);
    }

    public static AlgorithmOption<Integer> number(String name, int defaultValue, String help) {
        return new AlgorithmOption<>(name, defaultValue, help, "N", Integer::valueOf);
    }

    public static AlgorithmOption<List<Long>> numbers(String name, String help) {
        return new AlgorithmOption<>(name, List.of(), help, "N,N…", AlgorithmOption::parseNumbers);
    }

    /** One of the constants of an enum, written in lower case with hyphens. */
    public static <E extends Enum<E>> AlgorithmOption<E> choice(String name, E defaultValue, String help) {
        var constants = List.of(defaultValue.getDeclaringClass().getEnumConstants());
        var syntax = constants.stream().map(KebabCase::of).collect(Collectors.joining("|"));
        return new AlgorithmOption<>(
                name,
                defaultValue,
                help,
                syntax,
                text -> constants.stream()
                        .filter(constant -> KebabCase.of(constant).equals(text))
                        .findFirst()
                        .orElseThrow(IllegalArgumentException::new));
    }

    /** @throws IllegalArgumentException if the text is not a valid value */
    public T parse(String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException | ArithmeticException invalid) {
            throw new IllegalArgumentException("--" + name + " must be "
                    + (valueSyntax.isEmpty() ? "true or false" : valueSyntax) + ", was '" + text + "'");
        }
    }

    private static Boolean parseFlag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static Duration parseDuration(String text) {
        double millis = Double.parseDouble(text);
        if (!(millis >= 0)) {
            throw new IllegalArgumentException(text);
        }
        return Duration.ofNanos(Math.round(millis * 1_000_000));
    }

    private static Duration parsePositiveDuration(String text) {
        var duration = parseDuration(text);
        if (duration.toMillis() < 1) {
            throw new IllegalArgumentException(text);
        }
        return duration;
    }

    private static List<Long> parseNumbers(String text) {
        return text.isBlank()
                ? List.of()
                : List.of(text.split(",")).stream()
                        .map(String::trim)
                        .map(Long::valueOf)
                        .toList();
    }
}
