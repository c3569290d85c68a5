package habemus.concurrent;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that wait for a connection, to read or to write, each for one. The first few of a program are of the system:
 * they are woken sooner, and do for themselves what a virtual thread has to leave to another. All others are virtual:
 * there may be thousands of them.
 */
public final class ConnectionThreads {

    static final int MAX_PLATFORM_THREADS = 128;
    private static final AtomicInteger PLATFORM_THREADS = new AtomicInteger();

    private ConnectionThreads() {}

    /** To be started, else one of the few is lost. */
    public static Thread unstarted(String name, Runnable task) {
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
