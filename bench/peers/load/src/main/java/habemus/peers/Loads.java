package habemus.peers;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How often clients are served, and how fast, when none of them ever rests. */
final class Loads {

    private static final long LONGEST = TimeUnit.MINUTES.toNanos(2);
    private static final int DIGITS = 3;
    private static final double SETTLING = 0.3; // of the time, before it is measured

    private final Histogram cycles = new ConcurrentHistogram(LONGEST, DIGITS);
    private final Histogram acquires = new ConcurrentHistogram(LONGEST, DIGITS);
    private volatile long begin = Long.MAX_VALUE;
    private volatile long end = Long.MAX_VALUE;

    private Loads() {}

    static Map<String, Double> measure(Step.Load load, List<Peer.Session> sessions, long... pids) throws Exception {
        var loads = new Loads();
        var clients = Clients.start(sessions, load.shared(), load.clients(), loads::served);
        sleep(load.seconds() * SETTLING);
        double ours = Machine.ourSeconds(pids);
        double all = Machine.busySeconds();
        long failed = clients.failed();
        long begin = System.nanoTime();
        loads.begin = begin;
        sleep(load.seconds());
        long end = System.nanoTime();
        loads.end = end;
        ours = Machine.ourSeconds(pids) - ours;
        all = Machine.busySeconds() - all;
        failed = clients.failed() - failed;
        clients.end();
        if (failed > 0 || loads.cycles.getTotalCount() == 0) {
            System.err.println(failed + " failed; the last: " + clients.lastFailure());
        }
        double seconds = (end - begin) / 1e9;
        var figures = new HashMap<String, Double>();
        loads.tell(seconds, figures);
        figures.put(Answer.CPU, 1e6 * ours / Math.max(1, loads.cycles.getTotalCount()));
        figures.put(
                Answer.FOREIGN,
                Math.max(0, all - ours) / seconds / Runtime.getRuntime().availableProcessors());
        figures.put(Answer.FAILED, (double) failed);
        figures.put(Answer.OVERLAPS, (double) clients.overlaps());
        return figures;
    }

    private void served(int client, long asked, long granted, long released) {
        if (released >= begin && released <= end) {
            cycles.recordValue(Math.min(LONGEST, released - asked));
            acquires.recordValue(Math.min(LONGEST, granted - asked));
        }
    }

    private void tell(double seconds, Map<String, Double> figures) {
        figures.put(Answer.PER_SECOND, cycles.getTotalCount() / seconds);
        figures.put(Answer.MEDIAN, cycles.getValueAtPercentile(50) / 1e3);
        figures.put(Answer.LATE, cycles.getValueAtPercentile(99) / 1e3);
        figures.put(Answer.ACQUIRE, acquires.getValueAtPercentile(50) / 1e3);
    }

    static void sleep(double seconds) throws InterruptedException {
        Thread.sleep((long) (1000 * seconds));
    }
}
