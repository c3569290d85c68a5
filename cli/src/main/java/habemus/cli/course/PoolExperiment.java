package habemus.cli.course;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.course.servers.ServerForm;
import habemus.course.servers.load.LittlesLaw;
import habemus.course.servers.load.LoadMeasurement;
import habemus.course.servers.load.LoadPoint;
import habemus.course.servers.load.ServerSettings;
import habemus.harness.bench.Benchmark;
import habemus.lab.diagram.svg.Chart;
import habemus.lab.table.TextTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The pool size that Little's law predicts for a rate, beside pools that are measured. */
final class PoolExperiment implements ServersExperiment {

    private static final double DEFAULT_RATE = 400;
    private static final double ENOUGH_SERVED = 0.99;
    private static final double NEAR_BEST = 1.25;
    private static final int LARGEST_FACTOR = 8;

    @Override
    public String name() {
        return "pools";
    }

    @Override
    public List<String> unusedOptions() {
        return List.of("--rates", "--clients", "--forms", "--threads");
    }

    @Override
    public ServersReport run(ServersOptions options, Consumer<String> progress) {
        double rate = options.rate().orElse(DEFAULT_RATE);
        var settings = options.settings().withForm(ServerForm.THREAD_POOL);
        int predicted = LittlesLaw.fewestThreads(rate, settings.serviceTime());
        var sizes = options.sizes().isEmpty() ? sizesAround(predicted) : options.sizes();
        var measurement = new LoadMeasurement(options.duration(name()), options.timeout(), progress);
        var points = sizes.stream()
                .map(size -> measurement
                        .measure(settings.withThreads(size), List.of(rate))
                        .getFirst())
                .toList();
        var best = best(points);
        return new ServersReport(
                List.of(
                        ServersReport.table(table(rate, points)),
                        ServersReport.paragraph(conclusion(settings, rate, best)),
                        ServersReport.paragraph(
                                ServersText.schedule(
                                        points.stream().map(LoadPoint::outcome).toList()),
                                ServersText.serviceTime(settings) + " The queue holds "
                                        + settings.capacity().queue() + " requests.",
                                ServersText.duration(options, this),
                                Benchmark.machine().strip())),
                json(points, predicted, best),
                Map.of("", chart(points, settings.serviceTime(), predicted)));
    }

    /** Half, all, and twice as many as predicted, some between, and far too many. */
    private static List<Integer> sizesAround(int predicted) {
        var sizes = new TreeSet<Integer>();
        for (double factor : new double[] {0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 4, LARGEST_FACTOR}) {
            sizes.add((int) Math.max(1, Math.round(factor * predicted)));
        }
        return List.copyOf(sizes);
    }

    /** The smallest pool that serves 99 % of the requests, with a median near that of the best pool. */
    private static Optional<LoadPoint> best(List<LoadPoint> points) {
        double lowest = points.stream()
                .filter(PoolExperiment::servesEnough)
                .mapToDouble(point -> point.outcome().latencyMillis(50))
                .min()
                .orElse(0);
        return points.stream()
                .filter(PoolExperiment::servesEnough)
                .filter(point -> point.outcome().latencyMillis(50) <= NEAR_BEST * lowest)
                .findFirst();
    }

    private static boolean servesEnough(LoadPoint point) {
        return point.outcome().served() >= ENOUGH_SERVED * point.outcome().sent();
    }

    private static String conclusion(ServerSettings settings, double rate, Optional<LoadPoint> best) {
        double seconds = settings.serviceTime().toNanos() / 1e9;
        return String.format(
                Locale.ROOT,
                "Little's law: L = λW = %.0f/s × %.2f ms = %.1f busy threads, so at least %d."
                        + " Best pool measured: %s (the smallest that serves 99 %% with a median within %.0f %% of the"
                        + " best).",
                rate,
                seconds * 1e3,
                LittlesLaw.inSystem(rate, seconds),
                LittlesLaw.fewestThreads(rate, settings.serviceTime()),
                best.map(point -> point.settings().capacity().threads() + " threads")
                        .orElse("none"),
                100 * NEAR_BEST - 100);
    }

    private static TextTable table(double rate, List<LoadPoint> points) {
        var table = new TextTable(
                "threads", "most/s predicted", "predicted served/s", "served/s", "p50 ms", "p99 ms", "refused");
        for (var point : points) {
            var settings = point.settings();
            double most = LittlesLaw.mostPerSecond(settings.capacity().threads(), settings.serviceTime());
            table.row(
                    settings.capacity().threads(),
                    ServersText.whole(most),
                    ServersText.whole(Math.min(rate, most)),
                    ServersText.whole(point.outcome().servedPerSecond()),
                    ServersText.decimal(point.outcome().latencyMillis(50)),
                    ServersText.decimal(point.outcome().latencyMillis(99)),
                    ServersText.whole(point.outcome().refused()));
        }
        return table;
    }

    private static Chart chart(List<LoadPoint> points, Duration serviceTime, int predicted) {
        double rate = points.getFirst().rate();
        var law = new ArrayList<Chart.Point>();
        for (int size = 1; size <= points.getLast().settings().capacity().threads(); size++) {
            law.add(new Chart.Point(size, Math.min(rate, LittlesLaw.mostPerSecond(size, serviceTime))));
        }
        var measured = points.stream()
                .map(point -> new Chart.Point(
                        point.settings().capacity().threads(), point.outcome().servedPerSecond()))
                .toList();
        return new Chart(
                        "Requests served by pools",
                        new Chart.Axis("threads", false),
                        new Chart.Axis("requests a second", false))
                .curve("Little's law", law)
                .curve("measured", List.of(), measured)
                .mark(new Chart.Point(predicted, rate), "predicted: " + predicted + " threads");
    }

    private static JsonObject json(List<LoadPoint> points, int predicted, Optional<LoadPoint> best) {
        var rows = new JsonArray();
        points.stream().map(ServersText::json).forEach(rows::add);
        var json = new JsonObject();
        json.add("pools", rows);
        json.addProperty("predictedThreads", predicted);
        best.ifPresent(point ->
                json.addProperty("bestThreads", point.settings().capacity().threads()));
        return json;
    }
}
