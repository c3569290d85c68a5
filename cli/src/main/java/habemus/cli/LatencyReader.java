package habemus.cli;

import habemus.world.Latency;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads and writes {@code fixed:1}, {@code uniform:1..5}, {@code exp:3}, {@code lognormal:3,0.5}, and links. */
final class LatencyReader {

    private static final String TIME = "(" + Times.PATTERN + ")";
    private static final Pattern FIXED = Pattern.compile("fixed:" + TIME);
    private static final Pattern UNIFORM = Pattern.compile("uniform:" + TIME + "\\.\\." + TIME);
    private static final Pattern EXPONENTIAL = Pattern.compile("exp:" + TIME);
    private static final Pattern LOG_NORMAL = Pattern.compile("lognormal:" + TIME + ",(\\d{1,3}(?:\\.\\d{1,9})?)");
    private static final Pattern LINK = Pattern.compile("(" + Nodes.PATTERN + ")>(" + Nodes.PATTERN + ")=(.+)");
    private static final String HINT = "write it as fixed:1, uniform:1..5, exp:3 or lognormal:3,0.5, in milliseconds";

    private LatencyReader() {}

    static Latency read(RunWords words, Nodes nodes) {
        var everywhere = words.one(WorldOption.LATENCY);
        var latency = read(everywhere, everywhere.text());
        var links = new ArrayList<Latency.PerLink.Link>();
        for (Given given : words.all(WorldOption.LINK)) {
            links.add(link(given, nodes));
        }
        return links.isEmpty() ? latency : new Latency.PerLink(latency, links);
    }

    private static Latency.PerLink.Link link(Given given, Nodes nodes) {
        var parts = given.match(LINK);
        return new Latency.PerLink.Link(
                nodes.read(given, parts.group(1)), nodes.read(given, parts.group(2)), read(given, parts.group(3)));
    }

    /** @throws Refusal if it is none */
    static Latency read(Given given, String text) {
        for (Pattern pattern : List.of(FIXED, UNIFORM, EXPONENTIAL, LOG_NORMAL)) {
            var parts = pattern.matcher(text);
            if (parts.matches()) {
                var time = Times.read(parts.group(1));
                return pattern == FIXED
                        ? new Latency.Fixed(time)
                        : pattern == EXPONENTIAL
                                ? new Latency.Exponential(time)
                                : pattern == UNIFORM
                                        ? uniform(given, time, Times.read(parts.group(2)))
                                        : new Latency.LogNormal(time, Double.parseDouble(parts.group(2)));
            }
        }
        throw given.wrong("is no latency", HINT);
    }

    private static Latency uniform(Given given, Duration atLeast, Duration atMost) {
        if (atMost.compareTo(atLeast) < 0) {
            throw given.wrong("is no latency: it ends before it begins", HINT);
        }
        return new Latency.Uniform(atLeast, atMost);
    }

    static String text(Latency latency) {
        return switch (latency) {
            case Latency.Fixed(var time) -> "fixed:" + Times.text(time);
            case Latency.Uniform(var atLeast, var atMost) ->
                "uniform:" + Times.text(atLeast) + ".." + Times.text(atMost);
            case Latency.Exponential(var mean) -> "exp:" + Times.text(mean);
            case Latency.LogNormal(var median, var sigma) -> "lognormal:" + Times.text(median) + "," + sigma;
            case Latency.PerLink(var elsewhere, var links) ->
                text(elsewhere) + " but for " + links.size() + (links.size() == 1 ? " link" : " links");
        };
    }
}
