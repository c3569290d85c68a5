package habemus.service.record;

import habemus.protocol.Protocol;
import habemus.service.disk.Damaged;
import habemus.service.disk.Disk;
import habemus.wire.Codec;
import habemus.wire.Malformed;
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
 * @param torn whether it ends amid a line, as a crash may leave it
 */
public record Trace<S, M>(TraceHead head, List<Line<S, M>> lines, boolean torn) {

    public Trace {
        lines = List.copyOf(lines);
    }

    /** Whether the node stopped in good order. */
    public boolean isWhole() {
        return !lines.isEmpty() && lines.getLast() instanceof Line.Stopped;
    }

    /** Why the node stopped by itself, if it did. */
    Optional<String> bug() {
        return lines.stream()
                .filter(line -> line instanceof Line.Stumbled)
                .map(line -> ((Line.Stumbled<S, M>) line).why())
                .findFirst();
    }

    /**
     * Nothing if the node crashed before it had done anything.
     *
     * @throws Damaged if it is no trace
     */
    public static Optional<TraceHead> head(Path file) {
        return blocks(file).next().map(TraceFile.HEADS::read);
    }

    /** @throws Damaged if a line of it, other than a last half one, is not what was written */
    public static <S, M> Trace<S, M> read(Path file, Protocol<S, M> protocol) {
        var blocks = blocks(file);
        var head = TraceFile.HEADS.read(blocks.next().orElseThrow(() -> new Damaged(file + " is no trace")));
        Codec<Line<S, M>> codec = Codec.about(protocol, Line.class);
        var lines = new ArrayList<Line<S, M>>();
        try {
            for (var block = blocks.next(); block.isPresent(); block = blocks.next()) {
                lines.add(codec.read(block.get()));
            }
        } catch (Malformed foreign) {
            throw new Damaged(file + ", line " + (lines.size() + 1) + ", is of another algorithm or version: "
                    + foreign.getMessage());
        }
        return new Trace<>(head, lines, blocks.torn);
    }

    private static Blocks blocks(Path file) {
        try {
            var bytes = ByteBuffer.wrap(Files.readAllBytes(file));
            boolean begun = bytes.remaining() >= Long.BYTES;
            if (begun && bytes.getLong() != TraceFile.MARK) {
                throw new Damaged(file + " is no trace");
            }
            return new Blocks(file, begun ? bytes : bytes.limit(0));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** One after the other. */
    private static final class Blocks {
        private final Path file;
        private final ByteBuffer bytes;
        private boolean torn;

        Blocks(Path file, ByteBuffer bytes) {
            this.file = file;
            this.bytes = bytes;
        }

        Optional<ByteBuffer> next() {
            if (bytes.remaining() < TraceFile.BEFORE) {
                torn = bytes.hasRemaining();
                return Optional.empty();
            }
            int length = bytes.getInt();
            int checksum = bytes.getInt();
            if (length < 0 || length > bytes.remaining()) {
                torn = true;
                return Optional.empty();
            }
            var block = bytes.slice(bytes.position(), length);
            bytes.position(bytes.position() + length);
            if (Disk.checksum(block) != checksum) {
                throw new Damaged(file + " is damaged before byte " + bytes.position());
            }
            return Optional.of(block);
        }
    }
}
