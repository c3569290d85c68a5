package habemus.service.log;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.util.List;

class InMemoryReplicatedLogTest extends MajorityLogContract {

    private final InMemoryReplicatedLog.SharedState shared =
            new InMemoryReplicatedLog.SharedState(members.subList(0, 3));

    @Override
    protected ReplicatedLog open(List<Member> first, NodeId node, boolean joining) {
        return new InMemoryReplicatedLog(shared, node, newLoop(node));
    }

    @Override
    protected void kill(ReplicatedLog log) {
        log.close();
    }
}
