package habemus.lab.timeout;

import habemus.lab.command.CommandException;
import habemus.lab.experiment.LatencyParser;
import habemus.lab.experiment.OptionValue;
import habemus.lab.experiment.WorldOption;
import java.util.ArrayList;
import java.util.List;

/** Parses the delays of replies: a latency such as {@code lognormal:20,0.6}, or measured delays. */
public final class DelayParser {

    private DelayParser() {}

    /** @throws CommandException if the text is not a latency */
    public static DelayDistribution parseLatency(String text) {
        return DelayDistribution.of(LatencyParser.parse(new OptionValue(WorldOption.LATENCY, text), text));
    }

    /**
     * Measured delays in milliseconds, one number a line. Empty lines and lines that start with # are left out.
     *
     * @param origin names the lines in errors
     * @throws CommandException if a line is not a number, or there is none
     */
    public static DelayDistribution parseSamples(String origin, List<String> lines) {
        var millis = new ArrayList<Double>();
        for (int i = 0; i < lines.size(); i++) {
            var line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                millis.add(parseSample(line, origin + ", line " + (i + 1)));
            }
        }
        if (millis.isEmpty()) {
            throw CommandException.usage(origin + " has no numbers", "write milliseconds, one number a line");
        }
        return new DelayDistribution.Empirical(
                millis.stream().mapToDouble(d -> d).toArray());
    }

    private static double parseSample(String line, String location) {
        try {
            double millis = Double.parseDouble(line);
            if (millis >= 0 && Double.isFinite(millis)) {
                return millis;
            }
        } catch (NumberFormatException unreadable) {
            // reported below
        }
        throw CommandException.usage(
                location + ": not a number of milliseconds: '" + line + "'", "write one number a line");
    }
}
