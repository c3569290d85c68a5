package habemus.course.servers.load;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/**
 * One server that stalls once, under open-loop and under closed-loop load of about the same rate.
 *
 * @param clients of the closed loop
 * @param corrected the closed-loop latencies, with the requests that the stall kept from being sent
 */
public record StallComparison(Duration stall, int clients, LoadOutcome open, LoadOutcome closed, Histogram corrected) {

    private static final Duration WARM_UP = Duration.ofMillis(1500);
    private static final double WARM_UP_RATE = 40;

    /** @param rate requests a second of both loads; the closed loop reaches it while the server keeps up */
    public static StallComparison measure(
            ServerSettings settings, double rate, Duration stall, Duration duration, Consumer<String> progress) {
        double inSystem = LittlesLaw.inSystem(rate, settings.serviceTime().toNanos() / 1e9);
        int clients = (int) Math.max(1, Math.round(inSystem));
        var timeout = stall.multipliedBy(4).plusSeconds(1);
        progress.accept("open loop, with a stall");
        var open = withStall(settings, stall, duration, port -> new OpenLoopLoad(port, rate, duration, timeout).run());
        progress.accept("closed loop, with a stall");
        var closed = withStall(
                settings, stall, duration, port -> new ClosedLoopLoad(port, clients, duration, timeout).run());
        long usual = closed.latency().getValueAtPercentile(50);
        return new StallComparison(
                stall, clients, open, closed, closed.latency().copyCorrectedForCoordinatedOmission(usual));
    }

    /** The stall is in the middle of the load. */
    private static LoadOutcome withStall(
            ServerSettings settings, Duration stall, Duration duration, Function<Integer, LoadOutcome> load) {
        try (var server = LockServerProcess.start(settings)) {
            new OpenLoopLoad(server.port(), WARM_UP_RATE, WARM_UP, WARM_UP).run();
            var staller = Thread.ofPlatform().daemon().start(() -> {
                LockSupport.parkNanos(duration.toNanos() / 2);
                server.stall(stall);
            });
            var outcome = load.apply(server.port());
            staller.join();
            return outcome;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stop);
        }
    }
}
