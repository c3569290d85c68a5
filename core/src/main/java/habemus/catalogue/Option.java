package habemus.catalogue;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * A choice that an algorithm leaves to its user.
 *
 * @param standard what it is if nothing is said
 * @param help one line
 * @param form how a value is written, as help shows it; empty for a flag
 */
public record Option<T>(String name, T standard, String help, String form, Function<String, T> reader) {

    public static Option<Boolean> flag(String name, String help) {
        return new Option<>(name, false, help, "", Option::readFlag);
    }

    /** What is so unless it is turned off: {@code --name false}. */
    public static Option<Boolean> on(String name, String help) {
        return new Option<>(name, true, help, "true|false", Option::readFlag);
    }

    /** In milliseconds, as all times of a run. */
    public static Option<Duration> duration(String name, Duration standard, String help) {
        return new Option<>(name, standard, help, "MS", Option::readDuration);
    }

    /** How long something waits: where that is no time at all, a simulated clock stands still. */
    public static Option<Duration> wait(String name, Duration standard, String help) {
        return new Option<>(name, standard, help, "MS≥1", Option::readWait);
    }

    public static Option<Integer> number(String name, int standard, String help) {
        return new Option<>(name, standard, help, "N", Integer::valueOf);
    }

    public static Option<List<Long>> numbers(String name, String help) {
        return new Option<>(name, List.of(), help, "N,N…", Option::readNumbers);
    }

    /** @throws IllegalArgumentException saying what was expected */
    public T read(String text) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException | ArithmeticException unreadable) {
            throw new IllegalArgumentException(
                    "--" + name + " takes " + (form.isEmpty() ? "true or false" : form) + ", not '" + text + "'");
        }
    }

    private static Boolean readFlag(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    private static Duration readDuration(String text) {
        double millis = Double.parseDouble(text);
        if (!(millis >= 0)) {
            throw new IllegalArgumentException(text);
        }
        return Duration.ofNanos(Math.round(millis * 1_000_000));
    }

    private static Duration readWait(String text) {
        var wait = readDuration(text);
        if (wait.toMillis() < 1) {
            throw new IllegalArgumentException(text);
        }
        return wait;
    }

    private static List<Long> readNumbers(String text) {
        return text.isBlank()
                ? List.of()
                : List.of(text.split(",")).stream()
                        .map(String::trim)
                        .map(Long::valueOf)
                        .toList();
    }
}
