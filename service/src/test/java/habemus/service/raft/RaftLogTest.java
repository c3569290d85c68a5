package habemus.service.raft;

import habemus.protocol.NodeId;
import habemus.service.log.MajorityLogContract;
import habemus.service.log.ReplicatedLog;
import habemus.service.metrics.NodeMetrics;
import habemus.service.transport.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The log on the raft machine with three nodes. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class RaftLogTest extends MajorityLogContract {

    @TempDir
    private Path folder;

    @Override
    protected ReplicatedLog open(List<Member> first, NodeId node, boolean joining) {
        return RaftLog.open(config(folder, first, node, joining), newLoop(node), LogRecorder.NONE, new NodeMetrics());
    }

    static ReplicatedLogConfig config(Path folder, List<Member> first, NodeId node, boolean joining) {
        var config = ReplicatedLogConfig.of(first, node, folder.resolve(node.toString()))
                .withProposalTimeout(Duration.ofSeconds(3));
        return joining ? config.withMode(StartMode.JOIN) : config;
    }

    @Override
    protected void kill(ReplicatedLog log) {
        crash(log);
    }

    /** Closes without a transfer of the leadership. */
    static void crash(ReplicatedLog log) {
        ((RaftLog) log).crash();
    }
}
