package habemus.cli;

import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An option and the text that was given for it; knows how to complain about it. */
record Given(WorldOption option, String text) {

    Matcher match(Pattern pattern) {
        var matcher = pattern.matcher(text);
        if (!matcher.matches()) {
            throw malformed();
        }
        return matcher;
    }

    /** One of several, separated by commas. */
    Given part(String part) {
        return new Given(option, part);
    }

    Duration time() {
        return read(Times::read, "a time in milliseconds");
    }

    Duration time(String part) {
        return part(part).time();
    }

    /** A probability. */
    double probability() {
        double value = read(Double::parseDouble, "a probability");
        if (!(value >= 0 && value <= 1)) {
            throw wrong("is not a probability", "it is from 0 to 1, as in " + option.example());
        }
        return value;
    }

    long number(long atLeast, long atMost) {
        long value = read(Long::parseLong, "a whole number");
        if (value < atLeast || value > atMost) {
            throw wrong("is out of range", "it is from " + atLeast + " to " + atMost);
        }
        return value;
    }

    private <T> T read(Function<String, T> reader, String what) {
        try {
            return reader.apply(text);
        } catch (IllegalArgumentException unreadable) {
            throw wrong("is not " + what, "write it as in " + option.example());
        }
    }

    Refusal malformed() {
        return wrong("is not " + option.form(), "write it as in " + option.example());
    }

    Refusal wrong(String what, String hint) {
        return Refusal.wrong(option.option() + " " + ShellWords.quote(text) + " " + what, hint);
    }
}
