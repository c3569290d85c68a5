package habemus.cli.course;

import com.google.gson.JsonObject;
import habemus.course.servers.ServerForm;
import habemus.course.servers.load.StallComparison;
import habemus.harness.bench.Benchmark;
import habemus.lab.command.CommandException;
import habemus.lab.diagram.svg.Chart;
import habemus.lab.table.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** Coordinated omission: the same stall of a server, seen by an open and by a closed loop. */
final class StallExperiment implements ServersExperiment {

    private static final double DEFAULT_RATE = 200;
    private static final int LOAD_PER_STALL = 20; // the stall lasts for a twentieth of the load
    private static final double[] DRAWN_PERCENTILES = {
        90, 91, 92, 93, 94, 95, 96, 97, 98, 98.5, 99, 99.2, 99.4, 99.6, 99.8, 99.9
    };

    @Override
    public String name() {
        return "stall";
    }

    @Override
    public List<String> unusedOptions() {
        return List.of("--rates", "--sizes", "--clients", "--timeout");
    }

    @Override
    public ServersReport run(ServersOptions options, Consumer<String> progress) {
        double rate = options.rate().orElse(DEFAULT_RATE);
        var form = form(options.forms());
        var stall = options.duration(name()).dividedBy(LOAD_PER_STALL);
        var found = StallComparison.measure(
                options.settings().withForm(form), rate, stall, options.duration(name()), progress);
        var table = new TextTable("load", "requests", "p50 ms", "p99 ms", "p99.9 ms", "largest ms");
        row(table, "open loop", found.open().latency());
        row(table, "closed loop", found.closed().latency());
        row(table, "closed loop, corrected", found.corrected());
        return new ServersReport(
                List.of(
                        ServersReport.table(table),
                        ServersReport.paragraph(explanation(found, rate, form)),
                        ServersReport.paragraph(
                                ServersText.schedule(List.of(found.open())),
                                ServersText.serviceTime(options.settings()),
                                "Each load runs for " + options.duration(name()).toSeconds() + " s.",
                                Benchmark.machine().strip())),
                json(found),
                Map.of("", chart(found)));
    }

    private static ServerForm form(List<ServerForm> forms) {
        if (forms.size() == 1) {
            return forms.getFirst();
        }
        if (forms.size() < ServerForm.values().length) {
            throw CommandException.usage("--forms: servers stall measures one form, was " + forms, "name one of them");
        }
        return ServerForm.VIRTUAL_THREADS;
    }

    private static String explanation(StallComparison found, double rate, ServerForm form) {
        return String.format(
                Locale.ROOT,
                "The coordinator (%s) decides nothing for %d ms, in the middle of a load of %.0f requests a second."
                        + " Open loop: a request every %.1f ms, whatever happens."
                        + " Closed loop: %d clients, each of which sends its next request after the reply to its last."
                        + " Corrected: with the requests that the closed loop did not send.",
                form,
                found.stall().toMillis(),
                rate,
                1e3 / rate,
                found.clients());
    }

    private static void row(TextTable table, String name, Histogram latency) {
        table.row(
                name,
                ServersText.whole(latency.getTotalCount()),
                ServersText.decimal(latency.getValueAtPercentile(50) / 1e3),
                ServersText.decimal(latency.getValueAtPercentile(99) / 1e3),
                ServersText.decimal(latency.getValueAtPercentile(99.9) / 1e3),
                ServersText.decimal(latency.getMaxValue() / 1e3));
    }

    private static Chart chart(StallComparison found) {
        return new Chart(
                        "The same stall, seen by two loads",
                        new Chart.Axis("percentile", false),
                        new Chart.Axis("milliseconds", false))
                .curve("open loop", curve(found.open().latency()))
                .curve("closed loop", curve(found.closed().latency()))
                .curve("closed loop, corrected", curve(found.corrected()));
    }

    private static List<Chart.Point> curve(Histogram latency) {
        var points = new ArrayList<Chart.Point>();
        for (double percentile : DRAWN_PERCENTILES) {
            points.add(new Chart.Point(percentile, latency.getValueAtPercentile(percentile) / 1e3));
        }
        return points;
    }

    private static JsonObject json(StallComparison found) {
        var json = new JsonObject();
        json.addProperty("stallMillis", found.stall().toMillis());
        json.addProperty("clients", found.clients());
        json.add("open", json(found.open().latency()));
        json.add("closed", json(found.closed().latency()));
        json.add("corrected", json(found.corrected()));
        return json;
    }

    private static JsonObject json(Histogram latency) {
        var json = new JsonObject();
        json.addProperty("requests", latency.getTotalCount());
        json.addProperty("p50Millis", latency.getValueAtPercentile(50) / 1e3);
        json.addProperty("p99Millis", latency.getValueAtPercentile(99) / 1e3);
        json.addProperty("maxMillis", latency.getMaxValue() / 1e3);
        return json;
    }
}
