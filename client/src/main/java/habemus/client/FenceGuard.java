package habemus.client;

import java.nio.file.Path;

/**
 * Refuses late writers: it remembers the largest fence that it has seen of each lock, and lets none that is smaller
 * pass. Put it where the writes arrive, not where they begin. In a database use {@link JdbcFenceGuard}.
 */
public interface FenceGuard {

    /**
     * Lets this fence pass, or not. Between this and the write that follows another may pass; where that matters, use
     * {@link #run}.
     *
     * @param name of the lock
     * @param fence of who writes
     * @throws StaleFenceException if a larger one has been here
     */
    void check(String name, long fence);

    /**
     * Writes, if this fence may pass. Nobody passes by the same name meanwhile.
     *
     * @param name of the lock
     * @param fence of who writes
     * @param write what to do
     * @throws StaleFenceException if a larger one has been here; then nothing was written
     */
    void run(String name, long fence, Runnable write);

    /** {@return one for all that this JVM writes; it forgets when the JVM ends} */
    static FenceGuard inMemory() {
        return new MemoryFenceGuard();
    }

    /**
     * One for all processes of a machine, which remembers over restarts. Every larger fence is on disk, synced, before
     * it passes.
     *
     * @param file replaced with every larger fence; beside it there will be one that is locked
     * @return for this file
     */
    static FenceGuard inFile(Path file) {
        return new FileFenceGuard(file);
    }
}
