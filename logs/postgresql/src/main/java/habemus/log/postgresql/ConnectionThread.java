package habemus.log.postgresql;

import habemus.concurrent.EventLoop;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A thread with one connection. It runs calls one at a time, and completes their futures on the event loop. After a
 * failure it closes the connection; the next call opens another one.
 */
final class ConnectionThread implements AutoCloseable {

    /** A call that waits for the database. */
    interface SqlCall<T> {
        T run(Connection connection) throws SQLException;
    }

    /** Opens connections, and uses the time between calls. */
    interface Connections {
        Connection open() throws SQLException;

        /** Called when there is no call to run. Waits for a short time. */
        default void onIdle(Connection connection) throws SQLException {}

        /** How long the thread waits for a call before it is idle. */
        long idleAfterMillis();
    }

    private static final long DISCONNECTED_WAIT_MILLIS = 1_000;

    private final EventLoop loop;
    private final Connections connections;
    private final BlockingQueue<Runnable> calls = new LinkedBlockingQueue<>();
    private @Nullable Connection open; // closed by another thread only to end a call
    private volatile boolean isClosed;

    ConnectionThread(String name, EventLoop loop, Connections connections) {
        this.loop = loop;
        this.connections = connections;
        Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    <T> CompletableFuture<T> submit(SqlCall<T> call) {
        var result = new CompletableFuture<T>();
        calls.add(() -> {
            try {
                var value = call.run(connection());
                complete(() -> result.complete(value));
            } catch (SQLException failed) {
                disconnect();
                complete(() -> result.completeExceptionally(DatabaseProblem.of(failed)));
            } catch (RuntimeException failed) {
                disconnect();
                complete(() -> result.completeExceptionally(failed));
            }
        });
        return result;
    }

    private void complete(Runnable completion) {
        try {
            loop.execute(completion);
        } catch (RejectedExecutionException ended) {
            // and the node with it
        }
    }

    private void run() {
        try {
            while (!isClosed) {
                long wait = current() == null ? DISCONNECTED_WAIT_MILLIS : connections.idleAfterMillis();
                var call = calls.poll(wait, TimeUnit.MILLISECONDS);
                if (call != null) {
                    call.run();
                } else {
                    idle();
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
        disconnect();
    }

    private void idle() {
        var connection = current();
        if (connection != null) {
            try {
                connections.onIdle(connection);
            } catch (SQLException failed) {
                disconnect(); // the next call reports it
            }
        }
    }

    private synchronized @Nullable Connection current() {
        return open;
    }

    private Connection connection() throws SQLException {
        var current = current();
        if (current != null) {
            return current;
        }
        var opened = connections.open();
        synchronized (this) {
            open = opened;
        }
        return opened;
    }

    private void disconnect() {
        Connection closing;
        synchronized (this) {
            closing = open;
            open = null;
        }
        if (closing != null) {
            try {
                closing.abort(Runnable::run); // a pool must not give it out again
                closing.close();
            } catch (SQLException failed) {
                // it is of no use any more
            }
        }
    }

    /** Ends the call that is running, and the thread. */
    @Override
    public void close() {
        isClosed = true;
        calls.add(() -> {});
        var running = current();
        if (running != null) {
            try {
                running.abort(Runnable::run);
            } catch (SQLException failed) {
                // the thread ends after its call
            }
        }
    }
}
