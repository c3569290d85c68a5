package habemus.course.servers;

import java.util.List;

/**
 * The lock coordinator as a TCP server on the loopback interface. A connection carries one request and one reply, a
 * line each. A server without room for a request replies {@link LockReply#BUSY}.
 *
 * <p>The forms of this interface do the same work for a request: read it, {@link LockService#decide decide}, {@link
 * LockService#block block}, reply. They differ in the thread that does it.
 */
public interface CoordinatorServer extends AutoCloseable {

    /** The requests that wait for a thread of one stage. */
    record QueueLength(String stage, int length) {}

    int port();

    /** The queues of this process, in the order in which a request passes them. The system queues before them. */
    default List<QueueLength> queues() {
        return List.of();
    }

    ConnectionCount connections();

    /** Closes the port and ends the threads. */
    @Override
    void close();
}
