package habemus.check.model;

import java.util.List;

/** The threads of a search. */
public interface Workers {

    /** The calling thread alone. */
    Workers CALLER = new Workers() {
        @Override
        public int count() {
            return 1;
        }

        @Override
        public Team start() {
            return tasks -> tasks.forEach(Runnable::run);
        }
    };

    /** @param count at least 1 */
    static Workers of(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("threads must be at least 1, was " + count);
        }
        return count == 1 ? CALLER : new WorkerThreads(count);
    }

    int count();

    Team start();

    /** Running threads. */
    interface Team extends AutoCloseable {

        /** Runs one task on each thread, and returns when all are done. */
        void runAll(List<Runnable> tasks);

        @Override
        default void close() {}
    }
}
