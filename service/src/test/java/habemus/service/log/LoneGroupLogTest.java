package habemus.service.log;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real one, of one node. */
class LoneGroupLogTest extends LogContract {

    @TempDir
    private Path folder;

    LoneGroupLogTest() {
        super(1);
    }

    @Override
    Log open(List<Member> first, NodeId node, boolean joining) {
        return GroupLogTest.open(folder, first, node, joining);
    }

    @Override
    void kill(Log log) {
        GroupLogTest.crash(log);
    }

    @Test
    void says_that_it_is_not_fault_tolerant() {
        startAll();
        assertThat(log(1).isFaultTolerant()).isFalse();
    }
}
