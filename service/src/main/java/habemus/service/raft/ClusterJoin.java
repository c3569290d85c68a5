package habemus.service.raft;

import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jgroups.JChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Joins the JGroups cluster. The members reject a restarted node as long as they still count its old incarnation. */
record ClusterJoin(JChannel channel, NodeId self) {

    private static final Logger LOG = LoggerFactory.getLogger(JGroupsRaftLog.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(20);
    private static final long RETRY_INTERVAL_NANOS = 100_000_000;

    /** @throws IllegalStateException if the address is in use, or the members reject the node for too long */
    void enter(String cluster) {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (true) {
            try {
                channel.connect(cluster);
                return;
            } catch (SecurityException rejected) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            "cluster rejected node " + self + ": " + rejected.getMessage(), rejected);
                }
                LOG.debug("join rejected, retrying node={} cause={}", self, rejected.getMessage());
                LockSupport.parkNanos(RETRY_INTERVAL_NANOS);
            } catch (Exception failed) {
                throw new IllegalStateException("cannot join cluster " + cluster + ": " + failed.getMessage(), failed);
            }
        }
    }
}
