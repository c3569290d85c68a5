package habemus.service.log;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jgroups.util.Util;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The real one, of three nodes. */
@Execution(ExecutionMode.CONCURRENT)
class GroupLogTest extends ManyNodesContract {

    @TempDir
    private Path folder;

    @Override
    Log open(List<Member> first, NodeId node, boolean joining) {
        return open(folder, first, node, joining);
    }

    static Log open(Path folder, List<Member> first, NodeId node, boolean joining) {
        var config = LogConfig.of(first, node, folder.resolve(node.toString())).waitingFor(Duration.ofSeconds(3));
        return new GroupLog(joining ? config.joiningOthers() : config);
    }

    @Override
    void kill(Log log) {
        crash(log);
    }

    static void crash(Log log) {
        try {
            Util.shutdown(((GroupLog) log).channel());
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
        log.close();
    }
}
