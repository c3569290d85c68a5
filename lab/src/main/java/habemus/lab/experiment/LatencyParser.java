package habemus.lab.experiment;

import habemus.lab.command.CommandException;
import habemus.world.LatencyModel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Parses and formats latencies: {@code fixed:1}, {@code uniform:1..5}, {@code exp:3}, {@code lognormal:3,0.5}. */
public final class LatencyParser {

    private static final String TIME = "(" + SimulatedTime.PATTERN + ")";
    private static final Pattern FIXED = Pattern.compile("fixed:" + TIME);
    private static final Pattern UNIFORM = Pattern.compile("uniform:" + TIME + "\\.\\." + TIME);
    private static final Pattern EXPONENTIAL = Pattern.compile("exp:" + TIME);
    private static final Pattern LOG_NORMAL = Pattern.compile("lognormal:" + TIME + ",(\\d{1,3}(?:\\.\\d{1,9})?)");
    private static final Pattern LINK =
            Pattern.compile("(" + NodeParser.PATTERN + ")>(" + NodeParser.PATTERN + ")=(.+)");
    private static final String HINT = "write fixed:1, uniform:1..5, exp:3 or lognormal:3,0.5, in milliseconds";

    private LatencyParser() {}

    static LatencyModel parse(RunArguments arguments, NodeParser nodes) {
        var everywhere = arguments.value(WorldOption.LATENCY);
        var latencyModel = parse(everywhere, everywhere.text());
        var links = new ArrayList<LatencyModel.PerLink.Link>();
        for (OptionValue value : arguments.values(WorldOption.LINK)) {
            links.add(link(value, nodes));
        }
        return links.isEmpty() ? latencyModel : new LatencyModel.PerLink(latencyModel, links);
    }

    private static LatencyModel.PerLink.Link link(OptionValue value, NodeParser nodes) {
        var parts = value.matchOrThrow(LINK);
        return new LatencyModel.PerLink.Link(
                nodes.parse(value, parts.group(1)), nodes.parse(value, parts.group(2)), parse(value, parts.group(3)));
    }

    /** @throws CommandException if the text is not a latency */
    public static LatencyModel parse(OptionValue value, String text) {
        for (Pattern pattern : List.of(FIXED, UNIFORM, EXPONENTIAL, LOG_NORMAL)) {
            var parts = pattern.matcher(text);
            if (parts.matches()) {
                var time = SimulatedTime.parseMillis(parts.group(1));
                return pattern == FIXED
                        ? new LatencyModel.Fixed(time)
                        : pattern == EXPONENTIAL
                                ? new LatencyModel.Exponential(time)
                                : pattern == UNIFORM
                                        ? uniform(value, time, SimulatedTime.parseMillis(parts.group(2)))
                                        : new LatencyModel.LogNormal(time, Double.parseDouble(parts.group(2)));
            }
        }
        throw value.invalid("is not a latency", HINT);
    }

    private static LatencyModel uniform(OptionValue value, Duration atLeast, Duration atMost) {
        if (atMost.compareTo(atLeast) < 0) {
            throw value.invalid("is not a latency: the upper bound is below the lower one", HINT);
        }
        return new LatencyModel.Uniform(atLeast, atMost);
    }

    public static String format(LatencyModel latencyModel) {
        return switch (latencyModel) {
            case LatencyModel.Fixed(var time) -> "fixed:" + SimulatedTime.formatMillis(time);
            case LatencyModel.Uniform(var atLeast, var atMost) ->
                "uniform:" + SimulatedTime.formatMillis(atLeast) + ".." + SimulatedTime.formatMillis(atMost);
            case LatencyModel.Exponential(var mean) -> "exp:" + SimulatedTime.formatMillis(mean);
            case LatencyModel.LogNormal(var median, var sigma) ->
                "lognormal:" + SimulatedTime.formatMillis(median) + "," + sigma;
            case LatencyModel.PerLink(var elsewhere, var links) ->
                format(elsewhere) + " but for " + links.size() + (links.size() == 1 ? " link" : " links");
        };
    }
}
