package habemus.service.transport;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Splits the bytes of a connection into frames: 4 bytes for the length, then the content. It checks the length before
 * it allocates anything; its memory grows only with the bytes that have arrived.
 */
final class LengthPrefixedFrameDecoder extends ChannelInboundHandlerAdapter {

    private static final int FIRST_CAPACITY_BYTES = 64 << 10;
    private static final byte[] NO_BYTES = {};

    private final LongSupplier nanoClock;
    private int maxBytes;
    private long lastReadNanos;
    private int header; // the bytes of the length that have arrived
    private int headerBytes;
    private byte[] content = NO_BYTES;
    private int contentBytes;
    private boolean isDiscarding;

    /** @param maxBytes of a frame, until {@link #setMaxBytes} is called */
    LengthPrefixedFrameDecoder(int maxBytes, LongSupplier nanoClock) {
        this.maxBytes = maxBytes;
        this.nanoClock = nanoClock;
        lastReadNanos = nanoClock.getAsLong();
    }

    void setMaxBytes(int bytes) {
        maxBytes = bytes;
    }

    /** Ignores all bytes from now on. */
    void discard() {
        isDiscarding = true;
        content = NO_BYTES;
    }

    /** Bytes of a frame that has not arrived completely. */
    int heldBytes() {
        return content.length;
    }

    /** When bytes have arrived last, complete frames or not. */
    long lastReadNanos() {
        return lastReadNanos;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        lastReadNanos = nanoClock.getAsLong();
        var in = (ByteBuf) message;
        try {
            while (in.isReadable() && !isDiscarding) {
                if (headerBytes < Integer.BYTES) {
                    readHeader(in);
                } else {
                    readContent(in);
                }
                fireIfComplete(context);
            }
        } finally {
            in.release();
        }
    }

    private void readHeader(ByteBuf in) {
        if (headerBytes == 0 && in.readableBytes() >= Integer.BYTES) {
            header = in.readInt();
            headerBytes = Integer.BYTES;
        } else {
            header = header << Byte.SIZE | in.readUnsignedByte();
            headerBytes++;
        }
        if (headerBytes == Integer.BYTES && (header < 0 || header > maxBytes)) {
            isDiscarding = true;
            throw new CorruptedFrameException(
                    "a frame must have 0 to " + maxBytes + " bytes, had " + Integer.toUnsignedString(header));
        }
    }

    private void readContent(ByteBuf in) {
        int n = Math.min(in.readableBytes(), header - contentBytes);
        if (contentBytes + n > content.length) {
            int capacity = Math.max(contentBytes + n, Math.max(2 * content.length, FIRST_CAPACITY_BYTES));
            content = Arrays.copyOf(content, Math.min(header, capacity));
        }
        in.readBytes(content, contentBytes, n);
        contentBytes += n;
    }

    private void fireIfComplete(ChannelHandlerContext context) {
        if (headerBytes == Integer.BYTES && contentBytes == header) {
            var frame = content;
            headerBytes = 0;
            header = 0;
            content = NO_BYTES;
            contentBytes = 0;
            context.fireChannelRead(frame);
        }
    }
}
