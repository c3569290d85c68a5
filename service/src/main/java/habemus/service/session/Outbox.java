package habemus.service.session;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** What is to be written to one connection, and the writing of it. Whoever adds something never waits. */
final class Outbox {

    /** Bytes that are written at once, about. */
    private static final int TOGETHER = 1 << 16;

    private static final long LONG = TimeUnit.HOURS.toNanos(1);
    private static final byte[] END = {};

    private final Inbox<byte[]> waiting = new Inbox<>();
    private final AtomicLong bytes = new AtomicLong();
    private final int room;
    private volatile long since; // when the writing began that goes on, by nanoTime; else zero
    private boolean ended; // for whoever writes

    /** @param room bytes that may wait for somebody who reads slowly */
    Outbox(int room) {
        this.room = room;
    }

    /** False if there is no room for it. */
    boolean add(byte[] frames) {
        if (bytes.addAndGet(frames.length) > room) {
            return false;
        }
        waiting.add(frames);
        return true;
    }

    /** Nothing comes after what was added before. */
    void end() {
        waiting.add(END);
    }

    /** For how long it has not been able to write, in nanoseconds. */
    long stuck() {
        long began = since;
        return began == 0 ? 0 : System.nanoTime() - began;
    }

    /** Writes until the end, or until writing fails. */
    void writeTo(OutputStream out) throws IOException {
        while (!ended) {
            var next = waiting.poll();
            if (next == null) {
                waiting.await(LONG);
            } else {
                write(with(next), out);
            }
        }
    }

    /** These, and what waits already behind them. */
    private byte[] with(byte[] first) {
        ended = first.length == 0;
        if (ended || waiting.isEmpty()) {
            return first;
        }
        var all = new ByteArrayOutputStream(2 * first.length);
        all.writeBytes(first);
        while (!ended && all.size() < TOGETHER) {
            var next = waiting.poll();
            if (next == null) {
                break;
            }
            all.writeBytes(next);
            ended = next.length == 0;
        }
        return all.toByteArray();
    }

    private void write(byte[] all, OutputStream out) throws IOException {
        since = Math.max(1, System.nanoTime());
        out.write(all);
        out.flush();
        since = 0;
        bytes.addAndGet(-all.length);
    }
}
