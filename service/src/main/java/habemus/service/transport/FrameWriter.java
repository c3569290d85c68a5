package habemus.service.transport;

import habemus.concurrent.EventLoop;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import org.jspecify.annotations.Nullable;

/**
 * Writes frames to a channel, each after its length. Only on the event loop.
 *
 * <p>Frames of the current turn of the loop are collected in a buffer, which is written at the end of the turn. So the
 * frames of one turn cost one system call.
 */
@SuppressWarnings("FutureReturnValueIgnored") // each write has its listener
final class FrameWriter {

    private static final int MAX_COPIED_BYTES = 16 << 10; // longer frames are not copied to the buffer
    private static final int BUFFER_BYTES = 64 << 10;

    /** Called on the event loop. */
    interface Listener {

        /** The socket has taken bytes. */
        void onProgress();

        /** A frame is lost, so nothing may follow it. */
        void onWriteFailed(Throwable cause);
    }

    private final Channel channel;
    private final EventLoop loop;
    private final Listener listener;
    private @Nullable ByteBuf buffer;
    private long pendingBytes;
    private long lastProgressNanos;
    private boolean isFlushScheduled;
    private boolean isEnded;

    FrameWriter(Channel channel, EventLoop loop, Listener listener) {
        this.channel = channel;
        this.loop = loop;
        this.listener = listener;
    }

    /** Bytes that the socket has not taken yet. */
    long pendingBytes() {
        return pendingBytes;
    }

    /** For how long the socket has taken nothing, though bytes are pending. */
    long stalledNanos() {
        return pendingBytes == 0 ? 0 : loop.nanoTime() - lastProgressNanos;
    }

    /** Writes a frame at the end of the current turn of the loop. */
    void write(byte[] frame) {
        if (isEnded) {
            return;
        }
        append(frame);
        if (!isFlushScheduled) {
            isFlushScheduled = true;
            loop.execute(this::flush);
        }
    }

    private void append(byte[] frame) {
        if (pendingBytes == 0) {
            lastProgressNanos = loop.nanoTime();
        }
        pendingBytes += Integer.BYTES + frame.length;
        if (frame.length > MAX_COPIED_BYTES) {
            writeBuffer();
            var header = channel.alloc().buffer(Integer.BYTES).writeInt(frame.length);
            write(Unpooled.wrappedBuffer(header, Unpooled.wrappedBuffer(frame)));
            return;
        }
        var current = buffer;
        if (current == null) {
            current = channel.alloc().buffer();
            buffer = current;
        }
        current.writeInt(frame.length).writeBytes(frame);
        if (current.readableBytes() >= BUFFER_BYTES) {
            writeBuffer();
        }
    }

    private void writeBuffer() {
        var written = buffer;
        buffer = null;
        if (written != null) {
            write(written);
        }
    }

    private ChannelFuture write(ByteBuf bytes) {
        int length = bytes.readableBytes();
        return channel.write(bytes).addListener(written -> {
            pendingBytes -= length;
            lastProgressNanos = loop.nanoTime();
            if (written.isSuccess()) {
                listener.onProgress();
            } else {
                listener.onWriteFailed(written.cause());
            }
        });
    }

    private void flush() {
        isFlushScheduled = false;
        writeBuffer();
        channel.flush();
    }

    /** Flushes all frames now. Later ones are ignored. Completes when the socket has taken all of them. */
    ChannelFuture end() {
        isEnded = true;
        writeBuffer();
        return channel.writeAndFlush(Unpooled.EMPTY_BUFFER);
    }
}
