package habemus.service.session;

import habemus.fenced.Desk;
import habemus.protocol.NodeId;
import java.util.BitSet;
import java.util.Optional;

/** Numbers of connections. One is used again when nothing of its last connection can come any more. */
final class Numbers {

    private static final int FIRST = Desk.LOG.number() + 1;

    private final int most;
    private final BitSet taken = new BitSet();

    Numbers(int most) {
        this.most = Math.min(most, NodeId.LIMIT - FIRST);
    }

    synchronized Optional<NodeId> take() {
        int free = taken.nextClearBit(0);
        if (free >= most) {
            return Optional.empty();
        }
        taken.set(free);
        return Optional.of(new NodeId(FIRST + free));
    }

    synchronized void giveBack(NodeId number) {
        taken.clear(number.number() - FIRST);
    }

    synchronized int taken() {
        return taken.cardinality();
    }
}
