package habemus.course.servers;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts the open connections of a server, which are limited, and its refused requests. Thread-safe. */
public final class ConnectionCount {

    private final int limit;
    private final AtomicInteger open = new AtomicInteger();
    private final LongAdder refused = new LongAdder();

    ConnectionCount(int limit) {
        this.limit = limit;
    }

    /** Counts a new connection. Returns false if it exceeds the limit; it is counted nevertheless. */
    boolean opened() {
        return open.incrementAndGet() <= limit;
    }

    void closed() {
        open.decrementAndGet();
    }

    void countRefused() {
        refused.increment();
    }

    /** The connections that are open now. */
    public int open() {
        return open.get();
    }

    /** The requests that were refused since the start. */
    public long refused() {
        return refused.sum();
    }
}
