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
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The queues of each form over time, while clients send more than a pool can serve. */
final class QueueExperiment implements ServersExperiment {

    private static final double OVERLOAD = 1.25;

    @Override
    public String name() {
        return "queues";
    }

    @Override
    public List<String> unusedOptions() {
        return List.of("--rates", "--sizes", "--clients");
    }

    @Override
    public ServersReport run(ServersOptions options, Consumer<String> progress) {
        var settings = options.settings();
        double most = LittlesLaw.mostPerSecond(settings.capacity().threads(), settings.serviceTime());
        double rate = options.rate().orElse((double) Math.round(Math.min(ServersOptions.MAX_RATE, OVERLOAD * most)));
        var measurement = new LoadMeasurement(options.duration(name()), options.timeout(), progress);
        var points = options.forms().stream()
                .map(form -> measurement
                        .measure(settings.withForm(form), List.of(rate))
                        .getFirst())
                .toList();
        var rows = new JsonArray();
        points.stream().map(ServersText::json).forEach(rows::add);
        var json = new JsonObject();
        json.add("queues", rows);
        return new ServersReport(
                List.of(
                        ServersReport.table(table(points)),
                        ServersReport.paragraph(
                                "Offered: " + ServersText.whole(rate) + " requests a second; "
                                        + settings.capacity().threads() + " threads serve at most "
                                        + ServersText.whole(most) + ".",
                                "Peaks are those of samples, 20 a second.",
                                "The queue of one-thread is the backlog of the system, which the process cannot see."),
                        ServersReport.paragraph(
                                ServersText.schedule(
                                        points.stream().map(LoadPoint::outcome).toList()),
                                ServersText.settings(options, this),
                                Benchmark.machine().strip())),
                json,
                Map.of("", chart(points)));
    }

    private static TextTable table(List<LoadPoint> points) {
        var table = new TextTable(
                "form", "served/s", "p99 ms", "refused", "timed out", "threads", "connections", "longest queues");
        for (var point : points) {
            var queues = point.stages().stream()
                    .map(stage -> stage + " " + point.peakQueue(stage))
                    .toList();
            table.row(
                    point.settings().form(),
                    ServersText.whole(point.outcome().servedPerSecond()),
                    ServersText.decimal(point.outcome().latencyMillis(99)),
                    ServersText.whole(point.outcome().refused()),
                    ServersText.whole(point.outcome().timedOut()),
                    point.peakThreads(),
                    point.peakConnections(),
                    queues.isEmpty() ? "–" : String.join(", ", queues));
        }
        return table;
    }

    private static Chart chart(List<LoadPoint> points) {
        var chart = new Chart(
                "Queue lengths over time",
                new Chart.Axis("seconds", false),
                new Chart.Axis("requests that wait for a thread", false));
        for (var point : points) {
            if (point.settings().form() != ServerForm.EVENT_LOOP) { // its requests wait for a timer, not for a thread
                for (var stage : point.stages()) {
                    var curve = new ArrayList<Chart.Point>();
                    point.samples()
                            .forEach(sample -> curve.add(new Chart.Point(
                                    sample.seconds(),
                                    sample.statistics().queues().getOrDefault(stage, 0))));
                    chart.curve(point.settings().form() + ": " + stage, curve);
                }
            }
        }
        return chart;
    }
}
