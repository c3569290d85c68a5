package habemus.bench.product;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Clients that acquire and release in a loop without pauses, each on its own thread. */
final class LoadClients {

    /** Receives each successful cycle. All times are of {@link System#nanoTime}. */
    interface CycleListener {
        void onCycle(int client, long requested, long granted, long released);
    }

    private static final long STOP_TIMEOUT_MILLIS = 60_000;
    private static final int RETRY_DELAY_MILLIS = 5;

    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger holders = new AtomicInteger();
    private final AtomicLong overlaps = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile String lastFailure = "";
    private volatile boolean stopping;

    /** @param shared whether all clients use one lock, or each its own */
    static LoadClients start(List<Product.Session> sessions, boolean shared, int count, CycleListener cycleListener)
            throws Exception {
        var loadClients = new LoadClients();
        for (int i = 0; i < count; i++) {
            int client = i;
            var lock = sessions.get(i % sessions.size()).lock(shared ? "shared" : "lock-" + i);
            var thread = Thread.ofPlatform().daemon().name("client-" + i).unstarted(() -> {
                while (!loadClients.stopping) {
                    loadClients.cycle(lock, client, shared, cycleListener);
                }
            });
            loadClients.threads.add(thread);
        }
        loadClients.threads.forEach(Thread::start);
        return loadClients;
    }

    private void cycle(Product.Lock lock, int client, boolean shared, CycleListener cycleListener) {
        long requested = System.nanoTime();
        try {
            var grant = lock.acquire();
            long granted = System.nanoTime();
            checkOverlap(shared);
            grant.release();
            cycleListener.onCycle(client, requested, granted, System.nanoTime());
        } catch (Exception failure) {
            failed.incrementAndGet();
            lastFailure = failure.toString();
            pause();
        }
    }

    /** Counts an overlap if another client holds the shared lock now. */
    private void checkOverlap(boolean shared) {
        if (shared) {
            if (holders.incrementAndGet() > 1) {
                overlaps.incrementAndGet();
            }
            Thread.onSpinWait();
            holders.decrementAndGet();
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY_DELAY_MILLIS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
    }

    /** @throws IllegalStateException if a client does not stop in time */
    void stop() throws InterruptedException {
        stopping = true;
        long end = System.currentTimeMillis() + STOP_TIMEOUT_MILLIS;
        for (Thread thread : threads) {
            thread.join(Math.max(1, end - System.currentTimeMillis()));
            if (thread.isAlive()) {
                throw new IllegalStateException(
                        thread.getName() + " did not stop within " + STOP_TIMEOUT_MILLIS + " ms");
            }
        }
    }

    long overlaps() {
        return overlaps.get();
    }

    long failed() {
        return failed.get();
    }

    /** The last exception; empty if there was none. */
    String lastFailure() {
        return lastFailure;
    }
}
