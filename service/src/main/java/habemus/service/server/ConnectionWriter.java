package habemus.service.server;

import habemus.concurrent.CombiningQueue;
import habemus.concurrent.ConnectionThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Writes the frames of one connection in order. A thread that adds frames never waits for the network. */
final class ConnectionWriter {

    /** The output of a connection. */
    interface Channel {

        void write(byte[] bytes) throws IOException;

        /** Called after the last write. */
        void finish() throws IOException;

        /** A write has failed; no other follows. */
        void onFailure(IOException cause);
    }

    /** Pending frames are written together up to about this size. */
    private static final int MAX_WRITE_BYTES = 1 << 16;

    /** So few bytes fit into the socket buffer, even if the client has not read for a while. */
    private static final int INLINE_FLUSH_BYTES = 1 << 13;

    private static final byte[] END_MARKER = {};

    private final CombiningQueue<byte[]> queue = new CombiningQueue<>(this::write);
    private final AtomicLong pendingBytes = new AtomicLong();
    private final int maxPendingBytes;
    private volatile Optional<Channel> channel = Optional.empty();
    private volatile long writeStartedNanos; // start of the current write on nanoTime; zero if there is none
    private boolean ended; // only for the draining thread

    /** @param maxPendingBytes that may wait for a slow reader */
    ConnectionWriter(int maxPendingBytes) {
        this.maxPendingBytes = maxPendingBytes;
    }

    /** Starts writing to this channel. */
    void open(Channel target) {
        channel = Optional.of(target);
        queue.start(task -> ConnectionThreads.unstarted("client-writer", task));
    }

    /** Adds frames, for a later {@link #flush}. Returns false if too many bytes are pending. */
    boolean enqueue(byte[] frames) {
        if (pendingBytes.addAndGet(frames.length) > maxPendingBytes) {
            return false;
        }
        queue.enqueue(frames);
        return true;
    }

    /** Lets the writer thread write. */
    void flushLater() {
        queue.wakeThread();
    }

    /** Writes on this thread if that cannot block for long; else lets the writer thread write. */
    void flush() {
        if (queue.isEmpty()) {
            return;
        }
        if (pendingBytes.get() <= INLINE_FLUSH_BYTES) {
            queue.drain();
        } else {
            queue.wakeThread();
        }
    }

    /** Closes the output after all pending frames. */
    void end() {
        queue.enqueue(END_MARKER);
        queue.wakeThread();
    }

    /** How long the current write has been blocked. */
    long stalledNanos() {
        long started = writeStartedNanos;
        return started == 0 ? 0 : System.nanoTime() - started;
    }

    private long write() {
        var target = channel.orElseThrow();
        try {
            for (var next = queue.poll(); next != null; next = queue.poll()) {
                writeUnlessEnded(next, target);
            }
        } catch (IOException failed) {
            ended = true;
            target.onFailure(failed);
        }
        if (ended) {
            queue.stop();
        }
        return CombiningQueue.IDLE_NANOS;
    }

    private void writeUnlessEnded(byte[] next, Channel target) throws IOException {
        if (!ended) {
            write(batchFrom(next), target);
            if (ended) {
                target.finish();
            }
        }
    }

    /** These frames, with those that wait behind them. */
    private byte[] batchFrom(byte[] first) {
        ended = first.length == 0;
        if (ended || queue.isEmpty()) {
            return first;
        }
        var all = new ByteArrayOutputStream(2 * first.length);
        all.writeBytes(first);
        while (!ended && all.size() < MAX_WRITE_BYTES) {
            var next = queue.poll();
            if (next == null) {
                break;
            }
            all.writeBytes(next);
            ended = next.length == 0;
        }
        return all.toByteArray();
    }

    private void write(byte[] all, Channel target) throws IOException {
        writeStartedNanos = Math.max(1, System.nanoTime());
        target.write(all);
        writeStartedNanos = 0;
        pendingBytes.addAndGet(-all.length);
    }
}
