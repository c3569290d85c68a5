package habemus.lab.benchmark;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryType;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Samples the live heap, without garbage, many times a second while something runs. */
final class LiveHeap {

    private static final long SAMPLE_INTERVAL_MILLIS = 20;

    private LiveHeap() {}

    /** The peak of live bytes during the work, minus those before it. */
    static long peakBytesDuring(Runnable work) {
        long before = liveBytes();
        var peak = new AtomicLong(before);
        var working = new AtomicBoolean(true);
        var sampler = Thread.ofPlatform().start(() -> {
            while (working.get()) {
                peak.accumulateAndGet(liveBytes(), Math::max);
                pause();
            }
        });
        try {
            work.run();
        } finally {
            working.set(false);
        }
        join(sampler);
        return peak.get() - before;
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
