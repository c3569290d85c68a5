package habemus.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that acquire and release without a pause, each on a thread of its own. */
final class Clients {

    /** Is told of each cycle that was served; all times are of {@link System#nanoTime}. */
    interface Watch {
        void served(int client, long asked, long granted, long released);
    }

    private static final long PATIENCE = 60_000; // milliseconds for what is under way
    private static final int PAUSE = 5; // milliseconds after a failure

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicLong overlaps = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile String lastFailure = "";
    private volatile boolean ending;

    /** @param shared whether all want the same lock, or each its own */
    static Clients start(List<Peer.Session> sessions, boolean shared, int count, Watch watch) throws Exception {
        var clients = new Clients();
        for (int i = 0; i < count; i++) {
            int client = i;
            var lock = sessions.get(i % sessions.size()).lock(shared ? "shared" : "lock-" + i);
            var thread = Thread.ofPlatform().daemon().name("client-" + i).unstarted(() -> {
                while (!clients.ending) {
                    clients.cycle(lock, client, shared, watch);
                }
            });
            clients.threads.add(thread);
        }
        clients.threads.forEach(Thread::start);
        return clients;
    }

    private void cycle(Peer.Lock lock, int client, boolean shared, Watch watch) {
        long asked = System.nanoTime();
        try {
            var grant = lock.acquire();
            long granted = System.nanoTime();
            enter(shared);
            grant.release();
            watch.served(client, asked, granted, System.nanoTime());
        } catch (Exception refused) {
            failed.incrementAndGet();
            lastFailure = refused.toString();
            pause();
        }
    }

    /** For a moment: whoever comes in meanwhile is seen. */
    private void enter(boolean shared) {
        if (shared) {
            if (inside.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            Thread.onSpinWait();
            inside.decrementAndGet();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** @throws IllegalStateException if one waits without end */
    void end() throws InterruptedException {
        ending = true;
        long end = System.currentTimeMillis() + PATIENCE;
        for (Thread thread : threads) {
            thread.join(Math.max(1, end - System.currentTimeMillis()));
            if (thread.isAlive()) {
                throw new IllegalStateException(thread.getName() + " waits without end");
            }
        }
    }

    long overlaps() {
        return overlaps.get();
    }

    long failed() {
        return failed.get();
    }

    /** What the last one that failed said; empty if none has. */
    String lastFailure() {
        return lastFailure;
    }
}
