package habemus.service.trace;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import habemus.codec.Codec;
import habemus.protocol.Protocol;
import habemus.service.storage.AtomicFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Writes a trace; each line is with the operating system, and so survives a kill, before anybody hears of its step. */
public final class TraceWriter<S, M> implements StepRecorder<S, M> {

    private final FileChannel file;
    private final Codec<RecordedStep<S, M>> codec;

    public TraceWriter(Path path, TraceHeader head, Protocol<S, M> protocol) {
        codec = Codec.forProtocol(protocol, RecordedStep.class);
        try {
            file = FileChannel.open(path, CREATE_NEW, WRITE);
            put(ByteBuffer.allocate(Long.BYTES).putLong(TraceFileFormat.MAGIC).flip());
            write(TraceFileFormat.HEADER_CODEC.write(head));
        } catch (IOException refused) {
            throw new UncheckedIOException("cannot write " + path, refused);
        }
    }

    @Override
    public void write(RecordedStep<S, M> recordedStep) {
        try {
            write(codec.write(recordedStep));
        } catch (IOException full) {
            throw new UncheckedIOException("the trace cannot be written", full);
        }
    }

    private void write(byte[] block) throws IOException {
        put(ByteBuffer.allocate(TraceFileFormat.BLOCK_HEADER_BYTES + block.length)
                .putInt(block.length)
                .putInt(AtomicFile.checksum(ByteBuffer.wrap(block)))
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
