package habemus.lab.experiment;

import habemus.catalogue.AlgorithmOption;
import habemus.world.KebabCase;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** An option of an algorithm as it is written on the command line. */
public final class AlgorithmOptionText {

    private AlgorithmOptionText() {}

    /** Whether the option has no value. */
    public static boolean isFlag(AlgorithmOption<?> option) {
        return option.valueSyntax().isEmpty();
    }

    /** The default value. */
    public static String defaultText(AlgorithmOption<?> option) {
        return switch (option.defaultValue()) {
            case Duration time -> SimulatedTime.formatMillis(time);
            case List<?> list -> list.stream().map(String::valueOf).collect(Collectors.joining(","));
            case Enum<?> choice -> KebabCase.of(choice);
            case Object other -> other.toString();
        };
    }
}
