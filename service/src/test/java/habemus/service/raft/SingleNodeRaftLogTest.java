package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.service.log.RecordingStateMachine;
import habemus.service.log.ReplicatedLog;
import habemus.service.log.ReplicatedLogContract;
import habemus.service.metrics.NodeMetrics;
import habemus.service.transport.Member;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The log on the raft machine with a single node. */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class SingleNodeRaftLogTest extends ReplicatedLogContract {

    @TempDir
    private Path folder;

    SingleNodeRaftLogTest() {
        super(1);
    }

    @Override
    protected ReplicatedLog open(List<Member> first, NodeId node, boolean joining) {
        return RaftLog.open(
                RaftLogTest.config(folder, first, node, joining), newLoop(node), LogRecorder.NONE, new NodeMetrics());
    }

    @Override
    protected void kill(ReplicatedLog log) {
        RaftLogTest.crash(log);
    }

    @Test
    void a_log_that_grows_takes_a_snapshot_by_itself() {
        var config = ReplicatedLogConfig.of(
                        members.subList(0, 1), members.getFirst().node(), folder.resolve("small"))
                .withSnapshotThreshold(20_000);
        try (var log = RaftLog.open(config, newLoop(config.self()), LogRecorder.NONE, new NodeMetrics())) {
            log.start(new RecordingStateMachine());
            await(() -> {
                log.propose(new byte[1_000]).join(); // a slow snapshot leaves what was appended since it began
                return log.stats().snapshots() >= 1 && log.stats().logBytes() < 25_000;
            });
        }
    }

    @Test
    @SuppressWarnings("FutureReturnValueIgnored") // the log is read afterwards
    void an_entry_that_its_snapshot_syncs_is_applied_once() {
        var config =
                ReplicatedLogConfig.of(members.subList(0, 1), members.getFirst().node(), folder.resolve("synced"));
        var loop = newLoop(config.self());
        try (var log = RaftLog.open(config, loop, LogRecorder.NONE, new NodeMetrics())) {
            log.start(new RecordingStateMachine());
            log.propose(bytes("first")).join();
            loop.execute(
                    () -> { // the snapshot begins before the sync of the entry
                        log.propose(bytes("second"));
                        log.compact();
                    });
            await(() -> log.stats().snapshots() == 1);
        }
        var stateMachine = new RecordingStateMachine();
        try (var log = RaftLog.open(config, newLoop(config.self()), LogRecorder.NONE, new NodeMetrics())) {
            log.start(stateMachine);
            log.propose(bytes("third")).join();
            assertThat(stateMachine.entries()).containsExactly("first", "second", "third");
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void a_single_node_is_not_fault_tolerant() {
        startAll();
        assertThat(log(1).isFaultTolerant()).isFalse();
    }
}
