package habemus.service.trace;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import habemus.codec.Codec;
import habemus.protocol.Protocol;
import habemus.service.storage.OwnerOnly;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Writes a trace file. The operating system has each step, so that it survives a kill, before its effects. */
public final class TraceWriter<S, M> implements StepRecorder<S, M> {

    private final FileChannel file;
    private final Codec<RecordedStep<S, M>> codec;

    public TraceWriter(Path path, TraceHeader header, Protocol<S, M> protocol) {
        codec = Codec.forProtocol(protocol, RecordedStep.class);
        try {
            file = OwnerOnly.open(path, CREATE_NEW, WRITE);
            put(TraceFileFormat.start(header));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write " + path, failed);
        }
    }

    @Override
    public void write(RecordedStep<S, M> step) {
        try {
            put(TraceFileFormat.block(codec.write(step)));
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot write the trace", failed);
        }
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
