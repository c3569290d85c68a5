package habemus.service.trace;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import habemus.service.storage.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a trace file on a thread of its own, in the order of the calls. A kill of the process loses the steps of the
 * last milliseconds; the file then ends earlier.
 *
 * <p>The caller never waits. If the file reaches its limit, the disk fails, or too many steps wait, the writer logs a
 * warning and the file ends there.
 */
public final class BackgroundTraceWriter implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(BackgroundTraceWriter.class);
    private static final long FILE_LIMIT_BYTES = 4L << 30;
    private static final int PENDING_LIMIT = 1 << 18;
    private static final int WRITE_BYTES = 1 << 18;
    private static final long WRITE_INTERVAL_MILLIS = 5;

    private final Path path;
    private final long limitBytes;
    private final FileChannel file;
    private final Object lock = new Object();
    private final Thread thread;
    private List<Supplier<byte[]>> pending = new ArrayList<>(); // guarded by the lock
    private boolean isClosed; // guarded by the lock
    private volatile boolean isStopped;
    private long written;

    public BackgroundTraceWriter(Path path, TraceHeader header) {
        this(path, header, FILE_LIMIT_BYTES);
    }

    BackgroundTraceWriter(Path path, TraceHeader header, long limitBytes) {
        this.path = path;
        this.limitBytes = limitBytes;
        try {
            file = OwnerOnly.open(path, CREATE_NEW, WRITE);
            put(TraceFileFormat.start(header));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write " + path, failed);
        }
        thread = Thread.ofPlatform().name("trace-" + header.node()).daemon().start(this::run);
    }

    /**
     * Any thread may call it.
     *
     * @param step encodes a step; called by the thread of the writer, so it may use immutable values only
     */
    public void append(Supplier<byte[]> step) {
        if (isStopped) {
            return;
        }
        synchronized (lock) {
            if (pending.size() < PENDING_LIMIT) {
                pending.add(step);
                return;
            }
        }
        stop("the disk is too slow");
    }

    private void stop(String reason) {
        if (!isStopped) {
            isStopped = true;
            LOG.warn("recording stopped file={} reason=\"{}\"", path, reason);
        }
    }

    private void run() {
        try {
            for (var steps = take(); !steps.isEmpty() && !isStopped; steps = take()) {
                write(steps);
            }
        } catch (IOException failed) {
            stop(String.valueOf(failed.getMessage()));
        }
    }

    /** Waits, so that the steps of some milliseconds are written together. Empty after the last one. */
    private List<Supplier<byte[]>> take() {
        synchronized (lock) {
            try {
                do {
                    if (!isClosed) {
                        lock.wait(WRITE_INTERVAL_MILLIS);
                    }
                } while (pending.isEmpty() && !isClosed);
            } catch (InterruptedException stop) {
                return List.of();
            }
            var steps = pending;
            pending = new ArrayList<>();
            return steps;
        }
    }

    private void write(List<Supplier<byte[]>> steps) throws IOException {
        var buffer = ByteBuffer.allocate(WRITE_BYTES);
        for (Supplier<byte[]> step : steps) {
            var block = encode(step);
            if (written + buffer.position() + block.remaining() > limitBytes) {
                stop("the file has reached its limit");
            }
            if (isStopped) {
                break;
            }
            if (block.remaining() > buffer.remaining()) {
                put(buffer.flip());
                buffer.clear();
            }
            if (block.remaining() > buffer.remaining()) {
                put(block);
            } else {
                buffer.put(block);
            }
        }
        put(buffer.flip());
    }

    private ByteBuffer encode(Supplier<byte[]> step) {
        try {
            return TraceFileFormat.block(step.get());
        } catch (RuntimeException failed) {
            LOG.warn("step not encoded file={}", path, failed);
            stop("a step cannot be encoded");
            return ByteBuffer.allocate(0);
        }
    }

    private void put(ByteBuffer bytes) throws IOException {
        written += bytes.remaining();
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    /** Writes what waits. */
    @Override
    public void close() {
        synchronized (lock) {
            isClosed = true;
            lock.notifyAll();
        }
        try {
            thread.join();
            file.close();
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write " + path, failed);
        }
    }
}
