package habemus.service.session;

import habemus.drive.Threads;
import habemus.drive.Turns;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** What is to be written to one connection, and the writing of it. Whoever puts something here never waits. */
final class Outbox {

    /** Where to. */
    interface Paper {

        void write(byte[] bytes) throws IOException;

        /** All is written. */
        void end() throws IOException;

        /** Nothing more can be. */
        void tear(IOException why);
    }

    /** Bytes that are written at once, about. */
    private static final int TOGETHER = 1 << 16;

    /** Bytes for which there is room on the way, even if nobody has read anything for a while. */
    private static final int FEW = 1 << 13;

    private static final byte[] END = {};

    private final Turns<byte[]> pen = new Turns<>(this::write);
    private final AtomicLong bytes = new AtomicLong();
    private final int room;
    private volatile Optional<Paper> paper = Optional.empty();
    private volatile long since; // when the writing began that goes on, by nanoTime; else zero
    private boolean ended; // for whoever writes

    /** @param room bytes that may wait for somebody who reads slowly */
    Outbox(int room) {
        this.room = room;
    }

    /** Begins to write there. */
    void open(Paper there) {
        paper = Optional.of(there);
        pen.start(task -> Threads.unstarted("client-pen", task));
    }

    /** To be {@linkplain #flush written} soon. False if there is no room for it. */
    boolean put(byte[] frames) {
        if (bytes.addAndGet(frames.length) > room) {
            return false;
        }
        pen.put(frames);
        return true;
    }

    /** Written by a thread that has nothing else to do. */
    void hurry() {
        pen.wake();
    }

    /** By who is here, which may have to wait, but not if it is a lot. */
    void flush() {
        if (pen.isEmpty()) {
            return;
        }
        if (bytes.get() <= FEW) {
            pen.attend();
        } else {
            pen.wake();
        }
    }

    /** Nothing comes after what was put here before. */
    void end() {
        pen.put(END);
        pen.wake();
    }

    /** For how long it has not been able to write, in nanoseconds. */
    long stuck() {
        long began = since;
        return began == 0 ? 0 : System.nanoTime() - began;
    }

    private long write() {
        var there = paper.orElseThrow();
        try {
            for (var next = pen.poll(); next != null; next = pen.poll()) {
                writeUnlessEnded(next, there);
            }
        } catch (IOException broken) {
            ended = true;
            there.tear(broken);
        }
        if (ended) {
            pen.stop();
        }
        return Turns.LONG;
    }

    private void writeUnlessEnded(byte[] next, Paper there) throws IOException {
        if (!ended) {
            write(with(next), there);
            if (ended) {
                there.end();
            }
        }
    }

    /** These, and what waits already behind them. */
    private byte[] with(byte[] first) {
        ended = first.length == 0;
        if (ended || pen.isEmpty()) {
            return first;
        }
        var all = new ByteArrayOutputStream(2 * first.length);
        all.writeBytes(first);
        while (!ended && all.size() < TOGETHER) {
            var next = pen.poll();
            if (next == null) {
                break;
            }
            all.writeBytes(next);
            ended = next.length == 0;
        }
        return all.toByteArray();
    }

    private void write(byte[] all, Paper there) throws IOException {
        since = Math.max(1, System.nanoTime());
        there.write(all);
        since = 0;
        bytes.addAndGet(-all.length);
    }
}
