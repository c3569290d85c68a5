package habemus.service.server;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Tells whether a node has too little free memory to store more. The quotas keep the lock table small; this is for
 * everything else that may fill the memory. May be asked by any thread.
 */
@FunctionalInterface
public interface HeapGuard {

    /** For a simulation, which must not depend on the memory of its process. */
    HeapGuard NONE = () -> false;

    boolean isNearlyFull();

    /** {@return a guard for the heap of this process} */
    static HeapGuard ofThisProcess() {
        var pools = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .toList();
        return new Cached(() -> usedBytes(pools), Runtime.getRuntime().maxMemory(), System::nanoTime);
    }

    /** What the last collection of garbage has left in each pool. */
    private static long usedBytes(List<MemoryPoolMXBean> pools) {
        long used = 0;
        for (var pool : pools) {
            var afterCollection = pool.getCollectionUsage();
            used += afterCollection == null ? 0 : afterCollection.getUsed();
        }
        return used;
    }

    /** Measures a few times a second, however often it is asked. */
    final class Cached implements HeapGuard {

        private static final double NEARLY_FULL = 0.85;
        private static final long INTERVAL_NANOS = Duration.ofMillis(100).toNanos();

        private final LongSupplier usedBytes;
        private final double limitBytes;
        private final LongSupplier nanoClock;
        private final AtomicLong lastMeasuredNanos;
        private volatile boolean isNearlyFull;

        Cached(LongSupplier usedBytes, long maxBytes, LongSupplier nanoClock) {
            this.usedBytes = usedBytes;
            limitBytes = NEARLY_FULL * maxBytes;
            this.nanoClock = nanoClock;
            lastMeasuredNanos = new AtomicLong(nanoClock.getAsLong() - INTERVAL_NANOS);
        }

        @Override
        public boolean isNearlyFull() {
            long now = nanoClock.getAsLong();
            long last = lastMeasuredNanos.get();
            if (now - last >= INTERVAL_NANOS && lastMeasuredNanos.compareAndSet(last, now)) {
                isNearlyFull = usedBytes.getAsLong() > limitBytes;
            }
            return isNearlyFull;
        }
    }
}
