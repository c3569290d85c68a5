package habemus.service.raft;

import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.JChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a node comes in. Those there do not let in one that, as they see it, has not yet gone. */
record ClusterJoin(JChannel channel, NodeId self) {

    private static final Logger LOG = LoggerFactory.getLogger(JGroupsRaftLog.class);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final long LATER = 100_000_000; // nanoseconds

    /** @throws IllegalStateException if it cannot listen, or is not let in */
    void enter(String cluster) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                channel.connect(cluster);
                return;
            } catch (SecurityException early) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(self + " is not let in: " + early.getMessage(), early);
                }
                LOG.debug("{}: {}", self, early.getMessage());
                LockSupport.parkNanos(LATER);
            } catch (Exception failed) {
                throw new IllegalStateException("cannot listen: " + failed.getMessage(), failed);
            }
        }
    }
}
