package habemus.service.server;

import habemus.concurrent.CombiningQueue;
import habemus.concurrent.ConnectionThreads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What is to be written to one connection, and the writing of it. Whoever puts something here never waits. */
final class ConnectionWriter {

    /** Where to. */
    interface Channel {

        void write(byte[] bytes) throws IOException;

        /** All is written. */
        void finish() throws IOException;

        /** Nothing more can be. */
        void onFailure(IOException why);
    }

    /** Bytes that are written at once, about. */
    private static final int MAX_WRITE_BYTES = 1 << 16;

    /** Bytes for which there is room on the way, even if nobody has read anything for a while. */
    private static final int INLINE_FLUSH_BYTES = 1 << 13;

    private static final byte[] END_MARKER = {};

    private final CombiningQueue<byte[]> queue = new CombiningQueue<>(this::write);
    private final AtomicLong pendingBytes = new AtomicLong();
    private final int maxPendingBytes;
    private volatile Optional<Channel> channel = Optional.empty();
    private volatile long writeStartedNanos; // when the writing began that goes on, by nanoTime; else zero
    private boolean ended; // for whoever writes

    /** @param room bytes that may wait for somebody who reads slowly */
    ConnectionWriter(int room) {
        this.maxPendingBytes = room;
    }

    /** Begins to write there. */
    void open(Channel target) {
        channel = Optional.of(target);
        queue.start(task -> ConnectionThreads.unstarted("client-pen", task));
    }

    /** To be {@linkplain #flush written} soon. False if there is no room for it. */
    boolean enqueue(byte[] frames) {
        if (pendingBytes.addAndGet(frames.length) > maxPendingBytes) {
            return false;
        }
        queue.enqueue(frames);
        return true;
    }

    /** Written by a thread that has nothing else to do. */
    void flushLater() {
        queue.wakeThread();
    }

    /** By who is here, which may have to wait, but not if it is a lot. */
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

    /** Nothing comes after what was put here before. */
    void end() {
        queue.enqueue(END_MARKER);
        queue.wakeThread();
    }

    /** For how long it has not been able to write, in nanoseconds. */
    long stalledNanos() {
        long began = writeStartedNanos;
        return began == 0 ? 0 : System.nanoTime() - began;
    }

    private long write() {
        var target = channel.orElseThrow();
        try {
            for (var next = queue.poll(); next != null; next = queue.poll()) {
                writeUnlessEnded(next, target);
            }
        } catch (IOException broken) {
            ended = true;
            target.onFailure(broken);
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

    /** These, and what waits already behind them. */
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
