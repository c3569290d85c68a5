package habemus.client;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;

/** The largest fence of each name, behind a lock of its own. */
final class MemoryFenceGuard implements FenceGuard {

    private static final class Largest {
        private final ReentrantLock turn = new ReentrantLock();
        private long fence;
    }

    private final ConcurrentMap<String, Largest> largest = new ConcurrentHashMap<>();

    @Override
    public void check(String name, long fence) {
        run(name, fence, () -> {});
    }

    @Override
    public void run(String name, long fence, Runnable write) {
        var seen = largest.computeIfAbsent(name, any -> new Largest());
        seen.turn.lock();
        try {
            if (fence < seen.fence) {
                ClientMetrics.INSTANCE.countStaleFence();
                throw new StaleFenceException(name, fence, seen.fence);
            }
            seen.fence = fence;
            write.run();
        } finally {
            seen.turn.unlock();
        }
    }
}
