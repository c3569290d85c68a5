package habemus.course.servers;

import habemus.course.servers.CoordinatorServer.QueueLength;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A handler with a fixed pool of threads and a bounded queue before it. Thread-safe. */
final class Stage<E> implements AutoCloseable {

    private final String name;
    private final Consumer<E> handler;
    private final Consumer<E> overflow;
    private final ThreadPoolExecutor pool;

    /**
     * @param handler runs on a thread of the pool
     * @param overflow runs on the submitting thread if the queue is full
     */
    Stage(String name, ServerCapacity capacity, Consumer<E> handler, Consumer<E> overflow) {
        this.name = name;
        this.handler = handler;
        this.overflow = overflow;
        pool = new ThreadPoolExecutor(
                capacity.threads(),
                capacity.threads(),
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(capacity.queue()),
                Thread.ofPlatform().daemon().name(name + "-", 1).factory());
    }

    void submit(E event) {
        try {
            pool.execute(() -> handler.accept(event));
        } catch (RejectedExecutionException full) {
            overflow.accept(event);
        }
    }

    QueueLength queueLength() {
        return new QueueLength(name, pool.getQueue().size());
    }

    @Override
    public void close() {
        pool.shutdownNow();
    }
}
