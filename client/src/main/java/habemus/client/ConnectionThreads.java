package habemus.client;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Creates the threads that block on one connection each. The first {@value #MAX_PLATFORM_THREADS} in a JVM are platform
 * threads, which wake up faster: a virtual thread is woken by the poller thread. The others are virtual, so that there
 * may be thousands.
 */
final class ConnectionThreads {

    static final int MAX_PLATFORM_THREADS = 128;
    private static final AtomicInteger PLATFORM_THREADS = new AtomicInteger();

    private ConnectionThreads() {}

    /**
     * Creates a thread. The caller must start it: a platform thread counts as running until its task ends.
     *
     * @return not started
     */
    static Thread unstarted(String name, Runnable task) {
        if (PLATFORM_THREADS.incrementAndGet() > MAX_PLATFORM_THREADS) {
            PLATFORM_THREADS.decrementAndGet();
            return Thread.ofVirtual().name(name).unstarted(task);
        }
        return Thread.ofPlatform().daemon().name(name).unstarted(() -> {
            try {
                task.run();
            } finally {
                PLATFORM_THREADS.decrementAndGet();
            }
        });
    }
}
