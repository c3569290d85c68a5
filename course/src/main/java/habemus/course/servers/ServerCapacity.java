package habemus.course.servers;

/**
 * The limits of a server. A form ignores what it does not have.
 *
 * @param threads of a pool, at least 1
 * @param queue requests that may wait for a thread, at least 1; another one is refused
 * @param connections that may be open at once, at least 1; another one is refused
 */
public record ServerCapacity(int threads, int queue, int connections) {

    /** The connections that the system accepts for a server that has not accepted them yet. */
    static final int BACKLOG = 1_024;

    /** A client that has not sent its request after this time is disconnected. */
    static final int READ_TIMEOUT_MILLIS = 10_000;

    public ServerCapacity {
        if (threads < 1 || queue < 1 || connections < 1) {
            throw new IllegalArgumentException("capacities must be at least 1, were " + threads
                    + " threads, a queue of " + queue + " and " + connections + " connections");
        }
    }
}
