package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.course.servers.ServerForm;
import habemus.course.servers.load.LittlesLaw;
import habemus.course.servers.load.LoadMeasurement;
import habemus.course.servers.load.LoadPoint;
import habemus.harness.bench.Benchmark;
import habemus.lab.diagram.svg.Chart;
import habemus.lab.table.TextTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Latency against offered load, one curve for each form of the server. */
final class LoadExperiment implements ServersExperiment {

    private static final double FIRST_RATE = 25;
    private static final int DOUBLINGS = 10;

    @Override
    public String name() {
        return "load";
    }

    @Override
    public List<String> unusedOptions() {
        return List.of("--rate", "--sizes", "--clients");
    }

    @Override
    public ServersReport run(ServersOptions options, Consumer<String> progress) {
        var measurement = new LoadMeasurement(options.duration(name()), options.timeout(), progress);
        var rates = options.rates().isEmpty() ? doubled() : options.rates();
        Map<ServerForm, List<LoadPoint>> points = new LinkedHashMap<>();
        for (var form : options.forms()) {
            points.put(form, measurement.measure(options.settings().withForm(form), rates));
        }
        return new ServersReport(parts(options, points), json(points), charts(points));
    }

    private static List<Double> doubled() {
        return Stream.iterate(FIRST_RATE, rate -> 2 * rate).limit(DOUBLINGS + 1).toList();
    }

    private List<ServersReport.Part> parts(ServersOptions options, Map<ServerForm, List<LoadPoint>> points) {
        var parts = new ArrayList<ServersReport.Part>();
        parts.add(ServersReport.table(summary(points)));
        parts.add(ServersReport.table(details(points)));
        parts.add(ServersReport.paragraph(
                "The last rate of a form is the first one of which it serves less than 90 %.",
                "Latency counts from the intended send time; a request that timed out counts with its timeout.",
                "L is the mean number of requests in flight, λW served requests times mean latency.",
                "Threads include those of the JVM.",
                ServersText.schedule(points.values().stream()
                        .flatMap(List::stream)
                        .map(LoadPoint::outcome)
                        .toList())));
        parts.add(ServersReport.paragraph(
                ServersText.settings(options, this), Benchmark.machine().strip()));
        return parts;
    }

    private static TextTable summary(Map<ServerForm, List<LoadPoint>> points) {
        var table =
                new TextTable("form", "most served/s", "× one thread", "highest rate that it serves", "p99 ms there");
        double oneThread = points.getOrDefault(ServerForm.ONE_THREAD, List.of()).stream()
                .mapToDouble(point -> point.outcome().servedPerSecond())
                .max()
                .orElse(0);
        points.forEach((form, curve) -> {
            double most = curve.stream()
                    .mapToDouble(point -> point.outcome().servedPerSecond())
                    .max()
                    .orElse(0);
            var kept = curve.stream().filter(point -> !point.isSaturated()).reduce((before, after) -> after);
            table.row(
                    form,
                    ServersText.whole(most),
                    oneThread == 0 ? "–" : ServersText.decimal(most / oneThread),
                    kept.map(point -> ServersText.whole(point.rate())).orElse("–"),
                    kept.map(point -> ServersText.decimal(point.outcome().latencyMillis(99)))
                            .orElse("–"));
        });
        return table;
    }

    private static TextTable details(Map<ServerForm, List<LoadPoint>> points) {
        var table = new TextTable(
                "form",
                "offered/s",
                "served/s",
                "p50 ms",
                "p99 ms",
                "refused",
                "dropped",
                "timed out",
                "threads",
                "L",
                "λW",
                "late p99 ms");
        points.values().stream().flatMap(List::stream).forEach(point -> {
            var outcome = point.outcome();
            table.row(
                    point.settings().form(),
                    ServersText.whole(point.rate()),
                    ServersText.whole(outcome.servedPerSecond()),
                    ServersText.decimal(outcome.latencyMillis(50)),
                    ServersText.decimal(outcome.latencyMillis(99)),
                    ServersText.whole(outcome.refused()),
                    ServersText.whole(outcome.dropped()),
                    ServersText.whole(outcome.timedOut()),
                    point.peakThreads(),
                    ServersText.decimal(outcome.meanInFlight()),
                    ServersText.decimal(
                            LittlesLaw.inSystem(outcome.servedPerSecond(), outcome.meanLatencyMillis() / 1e3)),
                    ServersText.decimal(outcome.latenessMillis(99)));
        });
        return table;
    }

    private static Map<String, Chart> charts(Map<ServerForm, List<LoadPoint>> points) {
        Map<String, Chart> charts = new LinkedHashMap<>();
        charts.put("", chart(points, 99));
        charts.put("-p50", chart(points, 50));
        return charts;
    }

    /** Both axes are logarithmic: a rate doubles from step to step, and a queue multiplies the latency. */
    private static Chart chart(Map<ServerForm, List<LoadPoint>> points, double percentile) {
        var chart = new Chart(
                String.format(Locale.ROOT, "Latency (p%.0f) against offered load", percentile),
                new Chart.Axis("offered requests a second", true),
                new Chart.Axis("milliseconds", true));
        points.forEach((form, curve) -> {
            var drawn = curve.stream()
                    .filter(point -> point.outcome().latency().getTotalCount() > 0)
                    .map(point -> new Chart.Point(
                            Math.log10(point.rate()), Math.log10(point.outcome().latencyMillis(percentile))))
                    .toList();
            chart.curve(form.toString(), drawn, drawn);
        });
        return chart;
    }

    private static JsonObject json(Map<ServerForm, List<LoadPoint>> points) {
        var rows = new JsonArray();
        points.values().stream().flatMap(List::stream).map(ServersText::json).forEach(rows::add);
        var json = new JsonObject();
        json.add("load", rows);
        return json;
    }
}
