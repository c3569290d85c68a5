package habemus.service.trace;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.protocol.Protocol;
import habemus.service.storage.AtomicFile;
import habemus.service.storage.CorruptFileException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The trace of one group in one life of a node, as it was read from a file.
 *
 * @param isTruncated whether it ends amid a line, as a crash may leave it
 */
public record NodeTrace<S, M>(TraceHeader header, List<RecordedStep<S, M>> steps, boolean isTruncated) {

    public NodeTrace {
        steps = List.copyOf(steps);
    }

    /** Whether the node stopped in good order. */
    public boolean isComplete() {
        return !steps.isEmpty() && steps.getLast() instanceof RecordedStep.Stopped;
    }

    /** Why the node stopped by itself, if it did. */
    Optional<String> failureReason() {
        return steps.stream()
                .filter(recordedStep -> recordedStep instanceof RecordedStep.StepFailed)
                .map(recordedStep -> ((RecordedStep.StepFailed<S, M>) recordedStep).reason())
                .findFirst();
    }

    /**
     * Nothing if the node crashed before it had done anything.
     *
     * @throws CorruptFileException if it is no trace
     */
    public static Optional<TraceHeader> readHeader(Path file) {
        return openBlocks(file).next().map(TraceFileFormat.HEADER_CODEC::read);
    }

    /** @throws CorruptFileException if a line of it, other than a last half one, is not what was written */
    public static <S, M> NodeTrace<S, M> read(Path file, Protocol<S, M> protocol) {
        var blockReader = openBlocks(file);
        var head = TraceFileFormat.HEADER_CODEC.read(
                blockReader.next().orElseThrow(() -> new CorruptFileException(file + " is no trace")));
        Codec<RecordedStep<S, M>> codec = Codec.forProtocol(protocol, RecordedStep.class);
        var recordedSteps = new ArrayList<RecordedStep<S, M>>();
        try {
            for (var block = blockReader.next(); block.isPresent(); block = blockReader.next()) {
                recordedSteps.add(codec.read(block.get()));
            }
        } catch (MalformedInputException foreign) {
            throw new CorruptFileException(file + ", line " + (recordedSteps.size() + 1)
                    + ", is of another algorithm or version: " + foreign.getMessage());
        }
        return new NodeTrace<>(head, recordedSteps, blockReader.isTruncated);
    }

    private static BlockReader openBlocks(Path file) {
        try {
            var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            boolean begun = bytes.remaining() >= Long.BYTES;
            if (begun && bytes.getLong() != TraceFileFormat.MAGIC) {
                throw new CorruptFileException(file + " is no trace");
            }
            return new BlockReader(file, begun ? bytes : bytes.limit(0));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** One after the other. */
    private static final class BlockReader {
        private final Path file;
        private final ByteBuffer bytes;
        private boolean isTruncated;

        BlockReader(Path file, ByteBuffer bytes) {
            this.file = file;
            this.bytes = bytes;
        }

        Optional<ByteBuffer> next() {
            if (bytes.remaining() < TraceFileFormat.BLOCK_HEADER_BYTES) {
                isTruncated = bytes.hasRemaining();
                return Optional.empty();
            }
            int length = bytes.getInt();
            int checksum = bytes.getInt();
            if (length < 0 || length > bytes.remaining()) {
                isTruncated = true;
                return Optional.empty();
            }
            var block = bytes.slice(bytes.position(), length);
            bytes.position(bytes.position() + length);
            if (AtomicFile.checksum(block) != checksum) {
                throw new CorruptFileException(file + " is damaged before byte " + bytes.position());
            }
            return Optional.of(block);
        }
    }
}
