package habemus.course.servers;

import habemus.protocol.NodeId;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * What every server does for a request, whatever its threads. A request is {@code acquire LOCK CLIENT} or {@code
 * release LOCK CLIENT FENCE}. Its service time has two parts: one needs the processor, in the other one the request
 * waits, as for a disk. Thread-safe.
 */
public final class LockService {

    private final LockCoordinator coordinator;
    private final CpuWork work;
    private final Duration blocking;

    public LockService(LockCoordinator coordinator, Duration cpu, Duration blocking) {
        this.coordinator = coordinator;
        this.work = new CpuWork(cpu);
        this.blocking = blocking;
    }

    /** Serves the request of a connection on this thread, from the first byte to the last. */
    void serve(RequestConnection connection) {
        try (connection) {
            var reply = decide(connection.readRequest());
            block();
            connection.reply(reply);
        } catch (IOException gone) {
            // the client is gone, or sends nothing: there is no reader for a reply
        }
    }

    /** The part that needs the processor: computes, and lets the coordinator decide. Returns the reply. */
    String decide(String request) {
        work.run();
        var words = request.split(" ", -1);
        try {
            if (words.length == 3 && words[0].equals("acquire")) {
                return coordinator.acquire(words[1], client(words[2])).line();
            }
            if (words.length == 4 && words[0].equals("release")) {
                return coordinator
                        .release(words[1], client(words[2]), Long.parseLong(words[3]))
                        .line();
            }
        } catch (IllegalArgumentException invalid) {
            // replied below
        }
        return new LockReply.Rejected("unknown-request").line();
    }

    private static NodeId client(String number) {
        return new NodeId(Integer.parseInt(number));
    }

    /** The part that blocks: the thread waits, and the processor is free. */
    void block() {
        long end = System.nanoTime() + blocking.toNanos();
        for (long left = blocking.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
            if (Thread.interrupted()) {
                return; // the server is closed
            }
        }
    }

    /** How long {@link #block} takes, for a server that must not call it. */
    Duration blocking() {
        return blocking;
    }
}
