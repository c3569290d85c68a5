package habemus.service.server;

import habemus.lockservice.protocol.LockServer;
import habemus.protocol.NodeId;
import java.util.BitSet;
import java.util.Optional;

/** Hands out the ids by which the lock server knows its connections. A released id is used again. */
final class ConnectionIdPool {

    private static final int FIRST_ID = LockServer.LOG.number() + 1;

    private final int size;
    private final BitSet used = new BitSet();

    ConnectionIdPool(int maxConnections) {
        size = Math.min(maxConnections, NodeId.LIMIT - FIRST_ID);
    }

    /** Empty if all ids are used. */
    synchronized Optional<NodeId> acquire() {
        int free = used.nextClearBit(0);
        if (free >= size) {
            return Optional.empty();
        }
        used.set(free);
        return Optional.of(new NodeId(FIRST_ID + free));
    }

    /** To be called when the lock server has no message of the connection left. */
    synchronized void release(NodeId id) {
        used.clear(id.number() - FIRST_ID);
    }

    synchronized int usedCount() {
        return used.cardinality();
    }
}
