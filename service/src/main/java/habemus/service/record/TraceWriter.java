package habemus.service.record;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import habemus.protocol.Protocol;
import habemus.service.disk.Disk;
import habemus.wire.Codec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Writes a trace; each line is with the operating system, and so survives a kill, before anybody hears of its step. */
public final class TraceWriter<S, M> implements Recorder<S, M> {

    private final FileChannel file;
    private final Codec<Line<S, M>> codec;

    public TraceWriter(Path path, TraceHead head, Protocol<S, M> protocol) {
        codec = Codec.about(protocol, Line.class);
        try {
            file = FileChannel.open(path, CREATE_NEW, WRITE);
            put(ByteBuffer.allocate(Long.BYTES).putLong(TraceFile.MARK).flip());
            write(TraceFile.HEADS.write(head));
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot write " + path, refused);
        }
    }

    @Override
    public void write(Line<S, M> line) {
        try {
            write(codec.write(line));
        } catch (IOException full) {
            throw new UncheckedIOException("the trace cannot be written", full);
        }
    }

    private void write(byte[] block) throws IOException {
        put(ByteBuffer.allocate(TraceFile.BEFORE + block.length)
                .putInt(block.length)
                .putInt(Disk.checksum(ByteBuffer.wrap(block)))
                .put(block)
                .flip());
    }

    private void put(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            file.write(bytes);
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
