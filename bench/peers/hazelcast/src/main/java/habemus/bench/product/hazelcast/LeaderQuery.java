package habemus.bench.product.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import com.hazelcast.core.HazelcastInstanceAware;
import com.hazelcast.cp.internal.RaftService;
import com.hazelcast.instance.impl.HazelcastInstanceImpl;
import java.io.Serial;
import java.io.Serializable;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** Asks a node from inside whether it leads the CP group of the locks. Hazelcast has no API for clients. */
final class LeaderQuery implements Callable<Boolean>, HazelcastInstanceAware, Serializable {

    @Serial
    private static final long serialVersionUID = 1;

    private transient @Nullable HazelcastInstance instance;

    @Override
    public void setHazelcastInstance(HazelcastInstance instance) {
        this.instance = instance;
    }

    @Override
    public Boolean call() {
        if (!(instance instanceof HazelcastInstanceImpl inside)) {
            throw new IllegalStateException("must run inside a node, was " + instance);
        }
        RaftService raft = inside.node.getNodeEngine().getService(RaftService.SERVICE_NAME);
        return raft.getAllRaftNodes().stream()
                .filter(member -> member.getGroupId().getName().equals("default"))
                .anyMatch(member -> member.getLocalMember().equals(member.getLeader()));
    }
}
