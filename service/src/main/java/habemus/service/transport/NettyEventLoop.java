package habemus.service.transport;

import habemus.concurrent.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One event loop of Netty, which serves channels and runs tasks on the same thread. */
public final class NettyEventLoop implements EventLoop, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(NettyEventLoop.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final String threadName;
    private final MultiThreadIoEventLoopGroup group;
    private final io.netty.channel.EventLoop loop;

    /** @param threadName such as {@code raft-n1} */
    public NettyEventLoop(String threadName) {
        this.threadName = threadName;
        ThreadFactory threads = task -> {
            var thread = new FastThreadLocalThread(task, threadName);
            thread.setDaemon(true);
            return thread;
        };
        group = new MultiThreadIoEventLoopGroup(1, threads, CoarseTimeouts.of(NioIoHandler.newFactory()));
        loop = group.next();
    }

    /** For the channels of the transport. */
    io.netty.channel.EventLoop netty() {
        return loop;
    }

    String threadName() {
        return threadName;
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(guarded(task));
    }

    @Override
    public Cancellable schedule(Duration delay, Runnable task) {
        var scheduled = loop.schedule(guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    /** Otherwise the failure of a scheduled task would stay in a future that nothing reads. */
    private Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException | Error failed) {
                LOG.error("task failed thread={}", threadName, failed);
            }
        };
    }

    @Override
    public boolean inEventLoop() {
        return loop.inEventLoop();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /**
     * Runs a task that closes channels. Then it waits for the next turn, which frees their ports. On the loop itself it
     * does not wait. If the loop has ended, it does nothing.
     */
    void closeChannels(Runnable task) {
        if (inEventLoop()) {
            task.run();
            return;
        }
        var closed = new CompletableFuture<Void>();
        try {
            execute(() -> {
                task.run();
                schedule(Duration.ofMillis(1), () -> closed.complete(null));
            });
        } catch (RejectedExecutionException ended) {
            return; // and its channels with it
        }
        closed.completeOnTimeout(null, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
                .join();
    }

    /** Ends the thread after the tasks submitted before. Returns when it has ended, or at once on the loop itself. */
    @Override
    public void close() {
        var terminated = group.shutdownGracefully(0, CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        if (!inEventLoop()) {
            terminated.awaitUninterruptibly(CLOSE_TIMEOUT.toMillis());
        }
    }
}
