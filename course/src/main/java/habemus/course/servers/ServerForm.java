package habemus.course.servers;

import java.util.Locale;

/** The forms of the lock coordinator. */
public enum ServerForm {
    /** One thread serves one request after the other. */
    ONE_THREAD,
    /** A platform thread for each request. */
    THREAD_PER_REQUEST,
    /** A fixed pool of threads behind a bounded queue. */
    THREAD_POOL,
    /** A pool and a bounded queue for each stage. */
    STAGED,
    /** A virtual thread for each request. */
    VIRTUAL_THREADS,
    /** One thread that never blocks. */
    EVENT_LOOP;

    /** Starts a server of this form on a free port of the loopback interface. */
    public CoordinatorServer start(LockService service, ServerCapacity capacity) {
        return switch (this) {
            case ONE_THREAD -> new IterativeServer(service, capacity);
            case THREAD_PER_REQUEST -> new ThreadPerRequestServer(service, capacity);
            case THREAD_POOL -> new ThreadPoolServer(service, capacity);
            case STAGED -> new StagedServer(service, capacity);
            case VIRTUAL_THREADS -> new VirtualThreadServer(service, capacity);
            case EVENT_LOOP -> new EventLoopServer(service, capacity);
        };
    }

    /** The name on the command line: {@code one-thread}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
