package habemus.service.recording;

import habemus.lockservice.protocol.LockServer;
import habemus.lockservice.protocol.Message;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.Step;
import habemus.raft.Raft;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import habemus.service.raft.LogRecorder;
import habemus.service.storage.OwnerOnly;
import habemus.service.trace.BackgroundTraceWriter;
import habemus.service.trace.TraceHeader;
import habemus.world.Problem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;

/**
 * Records the steps of one start of a node in a file. A step is encoded and written by another thread; its values are
 * immutable. The recording of each start ends at 4 GiB.
 */
public final class NodeRecorder implements LogRecorder, ServerRecorder, AutoCloseable {

    /** What the header of a recording says in place of an algorithm. */
    static final String ALGORITHM = "lock-service";

    private final BackgroundTraceWriter writer;
    private final LongSupplier clockMicros;

    private NodeRecorder(BackgroundTraceWriter writer, LongSupplier clockMicros) {
        this.writer = writer;
        this.clockMicros = clockMicros;
    }

    /**
     * Creates the folder, if necessary, and a file for this start of the node.
     *
     * @param nodes number of nodes that the node was started with
     */
    public static NodeRecorder create(Path folder, String cluster, NodeId node, int nodes) {
        return create(folder, cluster, node, nodes, NodeRecorder::nowMicros);
    }

    /** @param clockMicros the wall clock, in microseconds */
    static NodeRecorder create(Path folder, String cluster, NodeId node, int nodes, LongSupplier clockMicros) {
        try {
            OwnerOnly.createFolder(folder);
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot create the folder " + folder, failed);
        }
        long start = clockMicros.getAsLong();
        var file = folder.resolve("service." + node + "." + start + TraceHeader.FILE_SUFFIX);
        var header = new TraceHeader(Problem.LOG, cluster, ALGORITHM, nodes, node, start);
        return new NodeRecorder(new BackgroundTraceWriter(file, header), clockMicros);
    }

    private static long nowMicros() {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now());
    }

    @Override
    public void onStart(LockServer lockServer) {
        long at = clockMicros.getAsLong();
        writer.append(() -> ServiceStep.CODEC.write(new ServiceStep.ServerStarted<>(at, lockServer)));
    }

    @Override
    public void onStart(Raft raft, RaftState.DurableState durable, Step<RaftState, RaftMessage> step) {
        long at = clockMicros.getAsLong();
        writer.append(() -> ServiceStep.CODEC.write(new ServiceStep.LogStarted<>(
                at, raft, durable, StepOutcome.LOG_CODEC.writeByteString(StepOutcome.of(step)))));
    }

    @Override
    public void onStep(Event<RaftMessage> event, Step<RaftState, RaftMessage> step) {
        long at = clockMicros.getAsLong();
        writer.append(() -> ServiceStep.CODEC.write(
                new ServiceStep.LogStep<>(at, event, StepOutcome.LOG_CODEC.writeByteString(StepOutcome.of(step)))));
    }

    @Override
    public void onStep(ServerInput input, Step<LockServer.State, Message> step) {
        long at = clockMicros.getAsLong();
        writer.append(() -> ServiceStep.CODEC.write(new ServiceStep.ServerStep<>(
                at, input, StepOutcome.SERVER_CODEC.writeByteString(StepOutcome.ofServer(step)))));
    }

    /** The node has stopped. */
    @Override
    public void close() {
        long at = clockMicros.getAsLong();
        writer.append(() -> ServiceStep.CODEC.write(new ServiceStep.Stopped<>(at)));
        writer.close();
    }
}
