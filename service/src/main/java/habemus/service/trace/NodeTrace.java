package habemus.service.trace;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.protocol.Protocol;
import habemus.service.storage.CorruptFileException;
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
        try (var reader = new TraceFileReader(file)) {
            return reader.header();
        }
    }

    /** @throws CorruptFileException if a step fails its checksum; an incomplete last step is no error */
    public static <S, M> NodeTrace<S, M> read(Path file, Protocol<S, M> protocol) {
        Codec<RecordedStep<S, M>> codec = Codec.forProtocol(protocol, RecordedStep.class);
        var steps = new ArrayList<RecordedStep<S, M>>();
        try (var reader = new TraceFileReader(file)) {
            var header = reader.header().orElseThrow(() -> new CorruptFileException(file + " is not a trace"));
            for (var block = reader.next(); block.isPresent(); block = reader.next()) {
                steps.add(codec.read(block.get()));
            }
            return new NodeTrace<>(header, steps, reader.isTruncated());
        } catch (MalformedInputException malformed) {
            throw new CorruptFileException(file + ", step " + (steps.size() + 1)
                    + ", is of another algorithm or version: " + malformed.getMessage());
        }
    }
}
