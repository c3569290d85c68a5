package habemus.service.recording;

import habemus.codec.MalformedInputException;
import habemus.protocol.NodeId;
import habemus.raft.RaftMessage;
import habemus.service.storage.CorruptFileException;
import habemus.service.trace.TraceFileReader;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the recordings of all starts of a node, one step after the other. */
final class NodeCursor implements AutoCloseable {

    private final NodeId node;
    private final ArrayDeque<Path> files;
    private @Nullable TraceFileReader reader;
    private @Nullable ServiceStep<RaftMessage> next;
    private int start;
    private long step; // the number of the next step

    /** @param files in the order of the starts */
    NodeCursor(NodeId node, List<Path> files) {
        this.node = node;
        this.files = new ArrayDeque<>(files);
    }

    NodeId node() {
        return node;
    }

    /** Which start the next step is of, from 1 on. */
    int start() {
        return start;
    }

    /** The number of the next step in its start, from 1 on. */
    long step() {
        return step;
    }

    /** The next step of this start. Empty at its end. */
    Optional<ServiceStep<RaftMessage>> next() {
        return Optional.ofNullable(next);
    }

    /** Whether the recording of this start ends with an incomplete step. */
    boolean isTruncated() {
        return reader != null && reader.isTruncated();
    }

    long remainingBytes() {
        return reader == null ? 0 : reader.remaining();
    }

    /** Turns to the recording of the next start. Returns whether there is one. */
    boolean nextStart() {
        close();
        var file = files.poll();
        if (file == null) {
            next = null;
            return false;
        }
        reader = new TraceFileReader(file);
        start++;
        step = 0;
        advance();
        return true;
    }

    /** @throws CorruptFileException if a step fails its checksum */
    void advance() {
        if (reader == null) {
            return;
        }
        var block = reader.next();
        step++;
        try {
            next = block.isPresent() ? ServiceStep.CODEC.read(block.get()) : null;
        } catch (MalformedInputException malformed) {
            throw new CorruptFileException(
                    reader.file() + ", step " + step + ", is of another version: " + malformed.getMessage());
        }
    }

    /** Reads no further. */
    void stop() {
        close();
        files.clear();
        next = null;
    }

    @Override
    public void close() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
