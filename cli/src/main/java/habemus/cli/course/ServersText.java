package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.cli.options.DurationOptions;
import habemus.course.servers.load.LoadPoint;
import habemus.course.servers.load.ServerSettings;
import java.util.Locale;

/** How numbers, settings and loads of servers are printed. */
final class ServersText {

    private ServersText() {}

    static String whole(double value) {
        return whole(Math.round(value));
    }

    static String whole(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    static String decimal(double value) {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    static String settings(ServersOptions options) {
        return settings(options.settings())
                + String.format(
                        Locale.ROOT,
                        " Each load runs for %d s; the timeout is %s ms.",
                        options.duration().toSeconds(),
                        DurationOptions.formatMillis(options.timeout()));
    }

    static String settings(ServerSettings settings) {
        return String.format(
                Locale.ROOT,
                "Service time: %s ms of CPU and %s ms of blocking. Capacity: %d threads, queues of %d, %,d connections.",
                DurationOptions.formatMillis(settings.cpu()),
                DurationOptions.formatMillis(settings.blocking()),
                settings.capacity().threads(),
                settings.capacity().queue(),
                settings.capacity().connections());
    }

    static JsonObject json(LoadPoint point) {
        var outcome = point.outcome();
        var json = new JsonObject();
        json.addProperty("form", point.settings().form().toString());
        json.addProperty("poolThreads", point.settings().capacity().threads());
        json.addProperty("offered", point.rate());
        json.addProperty("served", outcome.servedPerSecond());
        json.addProperty("p50Millis", outcome.latencyMillis(50));
        json.addProperty("p99Millis", outcome.latencyMillis(99));
        json.addProperty("meanMillis", outcome.meanLatencyMillis());
        json.addProperty("refused", outcome.refused());
        json.addProperty("dropped", outcome.dropped());
        json.addProperty("timedOut", outcome.timedOut());
        json.addProperty("inFlight", outcome.meanInFlight());
        json.addProperty("lateP99Millis", outcome.latenessMillis(99));
        json.addProperty("threads", point.peakThreads());
        var samples = new JsonArray();
        point.samples().forEach(sample -> {
            var row = new JsonObject();
            row.addProperty("seconds", sample.seconds());
            row.addProperty("threads", sample.statistics().threads());
            row.addProperty("connections", sample.statistics().connections());
            var queues = new JsonObject();
            sample.statistics().queues().forEach(queues::addProperty);
            row.add("queues", queues);
            samples.add(row);
        });
        json.add("samples", samples);
        return json;
    }
}
