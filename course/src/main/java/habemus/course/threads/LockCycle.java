package habemus.course.threads;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A cycle of threads of which each waits for a lock that the next one holds.
 *
 * @param waits one for each thread, in the order of the cycle; empty if there is no deadlock
 */
public record LockCycle(List<Wait> waits) {

    /**
     * A thread that waits.
     *
     * @param lock that it waits for
     * @param owner the thread that holds this lock
     * @param line the line of the program at which it waits, as {@code File.java:12}
     */
    public record Wait(String thread, String lock, String owner, String line) {}

    /** A lock with a name, which tells who holds it and who waits for it. It knows virtual threads, too. */
    public static final class NamedLock extends ReentrantLock {

        private static final long serialVersionUID = 1;

        private final String name;

        public NamedLock(String name) {
            this.name = name;
        }

        public String name() {
            return name;
        }

        private @Nullable Thread holder() {
            return getOwner();
        }

        private Collection<Thread> waiters() {
            return getQueuedThreads();
        }
    }

    /** Follows the wait-for graph of some locks: from a waiter to the lock, and from the lock to its holder. */
    public static LockCycle find(List<NamedLock> locks, Class<?> program) {
        var waitsFor = new LinkedHashMap<Thread, NamedLock>();
        locks.forEach(lock -> lock.waiters().forEach(waiter -> waitsFor.put(waiter, lock)));
        for (Thread first : waitsFor.keySet()) {
            var path = new LinkedHashMap<Thread, Wait>();
            var thread = first;
            var lock = waitsFor.get(first);
            while (thread != null && lock != null && !path.containsKey(thread)) {
                var owner = lock.holder();
                path.put(thread, wait(thread, lock, owner, program));
                thread = owner;
                lock = owner == null ? null : waitsFor.get(owner);
            }
            if (first.equals(thread)) {
                return new LockCycle(List.copyOf(path.values()));
            }
        }
        return new LockCycle(List.of());
    }

    private static Wait wait(Thread thread, NamedLock lock, @Nullable Thread owner, Class<?> program) {
        var line = List.of(thread.getStackTrace()).stream()
                .filter(frame -> frame.getClassName().equals(program.getName()))
                .findFirst()
                .map(frame -> frame.getFileName() + ":" + frame.getLineNumber())
                .orElse("");
        return new Wait(thread.getName(), lock.name(), owner == null ? "" : owner.getName(), line);
    }

    public boolean isDeadlock() {
        return !waits.isEmpty();
    }

    /** For example {@code t1 → lock b → t2 → lock a → t1}. */
    @Override
    public String toString() {
        if (waits.isEmpty()) {
            return "no cycle";
        }
        var text = new StringBuilder(waits.getFirst().thread());
        waits.forEach(wait ->
                text.append(" → lock ").append(wait.lock()).append(" → ").append(wait.owner()));
        return text.toString();
    }
}
