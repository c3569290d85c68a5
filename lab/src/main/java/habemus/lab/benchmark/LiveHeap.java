package habemus.lab.benchmark;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** How much of the heap is in use while something runs, garbage not counted: a sample many times a second. */
final class LiveHeap {

    private static final long SAMPLE_INTERVAL_MILLIS = 20;

    private LiveHeap() {}

    /** The most bytes that were alive at once, beyond those that were before. */
    static long peakBytesDuring(Runnable work) {
        long before = liveBytes();
        var most = new AtomicLong(before);
        var working = new AtomicBoolean(true);
        var sampler = Thread.ofPlatform().start(() -> {
            while (working.get()) {
                most.accumulateAndGet(liveBytes(), Math::max);
                pause();
            }
        });
        try {
            work.run();
        } finally {
            working.set(false);
        }
        join(sampler);
        return most.get() - before;
    }

    private static long liveBytes() {
        System.gc();
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .mapToLong(pool -> pool.getCollectionUsage().getUsed())
                .sum();
    }

    private static void pause() {
        try {
            Thread.sleep(SAMPLE_INTERVAL_MILLIS);
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException stop) {
            throw new IllegalStateException(stop);
        }
    }
}
