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
 * The trace of one group in one incarnation of a node.
 *
 * @param isTruncated whether a crash has left an incomplete step at the end
 */
public record NodeTrace<S, M>(TraceHeader header, List<RecordedStep<S, M>> steps, boolean isTruncated) {

    public NodeTrace {
        steps = List.copyOf(steps);
    }

    /** Whether the node was stopped, and did not crash. */
    public boolean isComplete() {
        return !steps.isEmpty() && steps.getLast() instanceof RecordedStep.Stopped;
    }

    /** Why a step has failed, if one has. */
    Optional<String> failureReason() {
        return steps.stream()
                .filter(step -> step instanceof RecordedStep.StepFailed)
                .map(step -> ((RecordedStep.StepFailed<S, M>) step).reason())
                .findFirst();
    }

    /**
     * Reads the header. Empty if the node has crashed before it was written.
     *
     * @throws CorruptFileException if the file is not a trace
     */
    public static Optional<TraceHeader> readHeader(Path file) {
        return openBlocks(file).next().map(TraceFileFormat.HEADER_CODEC::read);
    }

    /** @throws CorruptFileException if a step fails its checksum; an incomplete last step is no error */
    public static <S, M> NodeTrace<S, M> read(Path file, Protocol<S, M> protocol) {
        var blocks = openBlocks(file);
        var header = TraceFileFormat.HEADER_CODEC.read(
                blocks.next().orElseThrow(() -> new CorruptFileException(file + " is not a trace")));
        Codec<RecordedStep<S, M>> codec = Codec.forProtocol(protocol, RecordedStep.class);
        var steps = new ArrayList<RecordedStep<S, M>>();
        try {
            for (var block = blocks.next(); block.isPresent(); block = blocks.next()) {
                steps.add(codec.read(block.get()));
            }
        } catch (MalformedInputException malformed) {
            throw new CorruptFileException(file + ", step " + (steps.size() + 1)
                    + ", is of another algorithm or version: " + malformed.getMessage());
        }
        return new NodeTrace<>(header, steps, blocks.isTruncated);
    }

    private static BlockReader openBlocks(Path file) {
        try {
            var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            boolean hasMagic = bytes.remaining() >= Long.BYTES;
            if (hasMagic && bytes.getLong() != TraceFileFormat.MAGIC) {
                throw new CorruptFileException(file + " is not a trace");
            }
            return new BlockReader(file, hasMagic ? bytes : bytes.limit(0));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Reads the blocks of a trace file. */
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
                throw new CorruptFileException(
                        file + " is damaged before byte " + bytes.position() + ": checksum mismatch");
            }
            return Optional.of(block);
        }
    }
}
