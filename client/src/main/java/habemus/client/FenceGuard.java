package habemus.client;

import java.nio.file.Path;

/**
 * Rejects writes with stale fences. The guard keeps the largest fence of each lock that it has seen, and rejects
 * smaller ones. Put it where the writes arrive, not where they start. For a database use {@link JdbcFenceGuard}.
 */
public interface FenceGuard {

    /**
     * Checks a fence. Between this check and the following write another writer may pass; where that matters, use
     * {@link #run}.
     *
     * @param name of the lock
     * @param fence of the writer
     * @throws StaleFenceException if a larger fence was seen before
     */
    void check(String name, long fence);

    /**
     * Checks a fence and writes. No other writer with the same lock name passes during the write.
     *
     * @param name of the lock
     * @param fence of the writer
     * @param write the write to run
     * @throws StaleFenceException if a larger fence was seen before; then nothing was written
     */
    void run(String name, long fence, Runnable write);

    /** {@return a guard for all writers in this JVM; its fences are lost when the JVM ends} */
    static FenceGuard inMemory() {
        return new MemoryFenceGuard();
    }

    /**
     * Returns a guard for all processes of a machine, which keeps its fences over restarts. It writes and syncs every
     * larger fence to disk before the writer passes.
     *
     * @param file replaced with every larger fence; a lock file is created beside it
     * @return for this file
     */
    static FenceGuard inFile(Path file) {
        return new FileFenceGuard(file);
    }
}
