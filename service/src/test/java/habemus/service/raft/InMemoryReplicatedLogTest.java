package habemus.service.raft;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.util.List;

class InMemoryReplicatedLogTest extends ThreeNodeLogContract {

    private final InMemoryReplicatedLog.SharedState shared =
            new InMemoryReplicatedLog.SharedState(members.subList(0, 3));

    @Override
    ReplicatedLog open(List<Member> first, NodeId node, boolean joining) {
        return new InMemoryReplicatedLog(shared, node, newLoop(node));
    }

    @Override
    void kill(ReplicatedLog log) {
        log.close();
    }
}
