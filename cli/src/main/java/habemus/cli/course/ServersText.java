package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.course.servers.load.LoadOutcome;
import habemus.course.servers.load.LoadPoint;
import habemus.course.servers.load.ServerSettings;
import habemus.lab.experiment.SimulatedTime;
import java.util.List;
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

    static String settings(ServersOptions options, ServersExperiment experiment) {
        return settings(options.settings()) + " " + duration(options, experiment);
    }

    static String settings(ServerSettings settings) {
        return serviceTime(settings)
                + String.format(
                        Locale.ROOT,
                        " Capacity: %d threads, queues of %d, %,d connections.",
                        settings.capacity().threads(),
                        settings.capacity().queue(),
                        settings.capacity().connections());
    }

    static String serviceTime(ServerSettings settings) {
        return "Service time: " + SimulatedTime.formatMillis(settings.cpu()) + " ms of CPU and "
                + SimulatedTime.formatMillis(settings.blocking()) + " ms of blocking.";
    }

    static String duration(ServersOptions options, ServersExperiment experiment) {
        return "Each load runs for " + options.duration(experiment.name()).toSeconds() + " s; the timeout is "
                + SimulatedTime.formatMillis(options.timeout()) + " ms.";
    }

    /** Whether the generator sent its requests on time, so that latencies are those of the server. */
    static String schedule(List<LoadOutcome> outcomes) {
        double late = outcomes.stream()
                .mapToDouble(outcome -> outcome.latenessMillis(99))
                .max()
                .orElse(0);
        long disturbed =
                outcomes.stream().filter(outcome -> !outcome.isOnSchedule()).count();
        return disturbed == 0
                ? String.format(
                        Locale.ROOT,
                        "The generator kept its schedule: it sent 99 %% of the requests at most %.1f ms late.",
                        late)
                : String.format(
                        Locale.ROOT,
                        "The generator was late, by up to %.1f ms for 99 %% of the requests of a load:"
                                + " the machine is busy, and %d of %d loads were disturbed.",
                        late,
                        disturbed,
                        outcomes.size());
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
