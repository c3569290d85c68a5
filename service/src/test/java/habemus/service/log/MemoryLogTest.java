package habemus.service.log;

import habemus.protocol.NodeId;
import habemus.service.net.Member;
import java.util.List;

class MemoryLogTest extends ManyNodesContract {

    private final MemoryLog.Shared shared = new MemoryLog.Shared(members.subList(0, 3));

    @Override
    Log open(List<Member> first, NodeId node, boolean joining) {
        return new MemoryLog(shared, node);
    }

    @Override
    void kill(Log log) {
        log.close();
    }
}
