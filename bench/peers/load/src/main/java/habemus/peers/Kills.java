package habemus.peers;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** How long nobody is served after kill −9 of the leader, while clients want locks of their own all the time. */
final class Kills {

    private static final double STEADY = 2; // seconds before
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final AtomicLongArray served; // when each client first was, of cycles it began after the death
    private final CountDownLatch waiting;
    private volatile long dead = Long.MAX_VALUE;

    private Kills(int clients) {
        served = new AtomicLongArray(clients);
        waiting = new CountDownLatch(clients);
    }

    /** Nothing if nobody leads, or nobody can take its place. */
    static Map<String, Double> leader(Step.Kill kill, List<Peer.Session> sessions, Peer peer, Processes processes)
            throws Exception {
        var leader = peer.leader();
        if (leader.isEmpty()) {
            return Map.of();
        }
        var kills = new Kills(kill.clients());
        var clients = Clients.start(sessions, false, kill.clients(), kills::served);
        Loads.sleep(STEADY);
        long struck = System.nanoTime();
        processes.kill(leader.getAsInt());
        kills.dead = System.nanoTime();
        boolean all = kills.waiting.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        clients.end();
        if (!all) {
            throw new IllegalStateException("not all were served again: " + clients.lastFailure());
        }
        var times = IntStream.range(0, kill.clients())
                .mapToDouble(client -> (kills.served.get(client) - struck) / 1e6)
                .summaryStatistics();
        return Map.of(
                Answer.FIRST, times.getMin(), Answer.EVERY, times.getMax(), Answer.FAILED, (double) clients.failed());
    }

    private void served(int client, long asked, long granted, long released) {
        if (asked >= dead && served.compareAndSet(client, 0, released)) {
            waiting.countDown();
        }
    }
}
