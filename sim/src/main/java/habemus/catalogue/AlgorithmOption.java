package habemus.catalogue;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * A choice that an algorithm leaves to its user.
 *
 * @param defaultValue what it is if nothing is said
 * @param help one line
 * @param valueSyntax how a value is written, as help shows it; empty for a flag
 */
public record AlgorithmOption<T>(
        String name, T defaultValue, String help, String valueSyntax, Function<String, T> parser) {

    public static AlgorithmOption<Boolean> flag(String name, String help) {
        return new AlgorithmOption<>(name, false, help, "", AlgorithmOption::parseFlag);
    }

    /** What is so unless it is turned off: {@code --name false}. */
    public static AlgorithmOption<Boolean> enabledFlag(String name, String help) {
        return new AlgorithmOption<>(name, true, help, "true|false", AlgorithmOption::parseFlag);
    }

    /** In milliseconds, as all times of a run. */
    public static AlgorithmOption<Duration> duration(String name, Duration standard, String help) {
        return new AlgorithmOption<>(name, standard, help, "MS", AlgorithmOption::parseDuration);
    }

    /** How long something waits: where that is no time at all, a simulated clock stands still. */
    public static AlgorithmOption<Duration> positiveDuration(String name, Duration standard, String help) {
        return new AlgorithmOption<>(name, standard, help, "MS≥1", AlgorithmOption::parsePositiveDuration);
    }

    public static AlgorithmOption<Integer> number(String name, int standard, String help) {
        return new AlgorithmOption<>(name, standard, help, "N", Integer::valueOf);
    }

    public static AlgorithmOption<List<Long>> numbers(String name, String help) {
        return new AlgorithmOption<>(name, List.of(), help, "N,N…", AlgorithmOption::parseNumbers);
    }

    /** @throws IllegalArgumentException saying what was expected */
    public T parse(String text) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException | ArithmeticException unreadable) {
            throw new IllegalArgumentException("--" + name + " takes "
                    + (valueSyntax.isEmpty() ? "true or false" : valueSyntax) + ", not '" + text + "'");
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
        var wait = parseDuration(text);
        if (wait.toMillis() < 1) {
            throw new IllegalArgumentException(text);
        }
        return wait;
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
