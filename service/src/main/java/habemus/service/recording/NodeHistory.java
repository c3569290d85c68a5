package habemus.service.recording;

import habemus.protocol.Effect;
import habemus.protocol.LogView;
import habemus.protocol.NodeId;
import habemus.raft.RaftMessage;
import habemus.raft.RaftState;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The recordings of one node, and how far they are replayed. */
final class NodeHistory implements AutoCloseable {

    private final NodeId node;
    private final NodeCursor cursor;
    private NodeReplay replay;
    private Optional<RaftState> atEnd = Optional.empty(); // of the earlier start
    private Optional<RaftState> beforeLast = Optional.empty(); // before the last step of this start
    private boolean wasStopped;
    private boolean hasCrashed;
    private int starts;
    private long steps;

    NodeHistory(NodeId node, List<Path> files) {
        this.node = node;
        cursor = new NodeCursor(node, files);
        replay = new NodeReplay(node);
        cursor.nextStart();
    }

    NodeId node() {
        return node;
    }

    NodeCursor cursor() {
        return cursor;
    }

    NodeReplay replay() {
        return replay;
    }

    /** What the monitors see of its log. Empty before the log starts. */
    Optional<LogView> view() {
        return replay.logState().map(replay.raft()::view);
    }

    ValidationResult.RecordedNode summary() {
        return new ValidationResult.RecordedNode(node, starts, steps);
    }

    /** Whether a recording of the node ended without a stop, so that its last steps are missing. */
    boolean hasCrashed() {
        return hasCrashed;
    }

    /** The log starts, with what the earlier start left on the disk. */
    List<Effect<RaftMessage>> startLog(ServiceStep.LogStarted<RaftMessage> started) {
        var loss = atEnd.flatMap(before -> DiskContinuity.loss(before, started.durable(), wasStopped));
        if (loss.isPresent()) {
            throw new NodeReplay.WrongStepException("start", "the disk of the earlier start", loss.get());
        }
        wasStopped = false;
        return replay.startLog(started);
    }

    void beforeLogStep() {
        beforeLast = replay.logState();
    }

    void onStopped() {
        wasStopped = true;
    }

    void onStep() {
        steps++;
        starts = Math.max(starts, cursor.start());
    }

    /**
     * This start has ended. A node that was killed may have recorded a step that its disk does not have.
     *
     * @return whether the log had started
     */
    boolean endStart() {
        boolean hadStarted = replay.logState().isPresent();
        if (hadStarted) {
            atEnd = wasStopped ? replay.logState() : beforeLast;
        }
        hasCrashed |= !wasStopped;
        beforeLast = Optional.empty();
        replay = new NodeReplay(node);
        return hadStarted;
    }

    @Override
    public void close() {
        cursor.close();
    }
}
