package habemus.service.server;

import habemus.lockservice.protocol.LockServer;
import habemus.protocol.NodeId;
import java.util.BitSet;
import java.util.Optional;

/** Numbers of connections. One is used again when nothing of its last connection can come any more. */
final class ConnectionIdPool {

    private static final int FIRST_ID = LockServer.LOG.number() + 1;

    private final int size;
    private final BitSet used = new BitSet();

    ConnectionIdPool(int most) {
        this.size = Math.min(most, NodeId.LIMIT - FIRST_ID);
    }

    synchronized Optional<NodeId> acquire() {
        int free = used.nextClearBit(0);
        if (free >= size) {
            return Optional.empty();
        }
        used.set(free);
        return Optional.of(new NodeId(FIRST_ID + free));
    }

    synchronized void release(NodeId number) {
        used.clear(number.number() - FIRST_ID);
    }

    synchronized int usedCount() {
        return used.cardinality();
    }
}
