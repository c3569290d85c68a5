package habemus.client;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/** Keeps the largest fence of each lock in memory, each with its own mutex. */
final class MemoryFenceGuard implements FenceGuard {

    private static final class LargestFence {
        private final ReentrantLock mutex = new ReentrantLock();
        private long fence;
    }

    private final ConcurrentMap<String, LargestFence> largest = new ConcurrentHashMap<>();

    @Override
    public void check(String name, long fence) {
        run(name, fence, () -> {});
    }

    @Override
    public void run(String name, long fence, Runnable write) {
        var seen = largest.computeIfAbsent(name, key -> new LargestFence());
        seen.mutex.lock();
        try {
            if (fence < seen.fence) {
                ClientMetrics.INSTANCE.countStaleFence();
                throw new StaleFenceException(name, fence, seen.fence);
            }
            seen.fence = fence;
            write.run();
        } finally {
            seen.mutex.unlock();
        }
    }
}
