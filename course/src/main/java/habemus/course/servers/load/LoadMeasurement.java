package habemus.course.servers.load;

import habemus.course.servers.ServerForm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures servers under open-loop load, one server process after the other.
 *
 * @param duration of the load of one rate
 * @param timeout of a request
 * @param progress told what is measured next
 */
public record LoadMeasurement(Duration duration, Duration timeout, Consumer<String> progress) {

    private static final Duration WARM_UP = Duration.ofMillis(1500);
    private static final double WARM_UP_BUSY = 0.5; // the share of the threads
    private static final double WARM_UP_RATE_MAX = 400;

    /** Offers these rates, in order, until the server is saturated. That rate is the last one. */
    public List<LoadPoint> measure(ServerSettings settings, List<Double> rates) {
        try (var server = LockServerProcess.start(settings)) {
            warmUp(server, settings);
            var points = new ArrayList<LoadPoint>();
            for (double rate : rates) {
                points.add(measure(server, settings, rate));
                if (points.getLast().isSaturated()) {
                    break;
                }
            }
            return points;
        }
    }

    private void warmUp(LockServerProcess server, ServerSettings settings) {
        progress.accept(settings.form() + ": warm-up");
        int threads = settings.form() == ServerForm.ONE_THREAD
                ? 1
                : settings.capacity().threads();
        double most = LittlesLaw.mostPerSecond(threads, settings.serviceTime());
        new OpenLoopLoad(server.port(), Math.min(WARM_UP_RATE_MAX, WARM_UP_BUSY * most), WARM_UP, timeout).run();
    }

    private LoadPoint measure(LockServerProcess server, ServerSettings settings, double rate) {
        progress.accept("%s, %d threads: %.0f requests/s"
                .formatted(settings.form(), settings.capacity().threads(), rate));
        RequestProbe.awaitIdle(server.port());
        try (var sampler = new StatisticsSampler(server)) {
            var outcome = new OpenLoopLoad(server.port(), rate, duration, timeout).run();
            return new LoadPoint(settings, rate, outcome, sampler.samples());
        }
    }
}
