package habemus.lab.experiment;

import habemus.lab.command.CommandException;
import habemus.lab.command.ShellSyntax;
import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text given for an option of the world, with parsing and error messages. */
public record OptionValue(WorldOption option, String text) {

    Matcher matchOrThrow(Pattern pattern) {
        var matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw malformed();
        }
        return matcher;
    }

    /** The same option with another text: one of several values separated by commas. */
    OptionValue withText(String part) {
        return new OptionValue(option, part);
    }

    Duration time() {
        return parse(SimulatedTime::parseMillis, "a time in milliseconds");
    }

    Duration time(String part) {
        return withText(part).time();
    }

    double probability() {
        double value = parse(Double::parseDouble, "a probability");
        if (!(value >= 0 && value <= 1)) {
            throw invalid("is not a probability", "use a number from 0 to 1: " + option.example());
        }
        return value;
    }

    public long number(long atLeast, long atMost) {
        long value = parse(Long::parseLong, "a whole number");
        if (value < atLeast || value > atMost) {
            throw invalid("is out of range", "use a number from " + atLeast + " to " + atMost);
        }
        return value;
    }

    private <T> T parse(Function<String, T> reader, String what) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException unreadable) {
            throw invalid("is not " + what, "write " + option.example());
        }
    }

    CommandException malformed() {
        return invalid("is not " + option.form(), "write " + option.example());
    }

    CommandException invalid(String what, String hint) {
        return CommandException.usage(option.option() + " " + ShellSyntax.quote(text) + " " + what, hint);
    }
}
