package habemus.simulate;

import habemus.protocol.NodeId;
import habemus.world.Happening;
import java.util.function.Consumer;

/** Whom each node names as its leader; every change is seen. */
final class Leaders {

    private final NodeId[] ids;
    private final int[] named; // by each node; zero if nobody
    private final Consumer<Happening> witness;

    Leaders(NodeId[] ids, Consumer<Happening> witness) {
        this.ids = ids;
        this.witness = witness;
        named = new int[ids.length];
    }

    void name(int node, NodeId leader, long term) {
        disown(node);
        named[node] = leader.number();
        witness.accept(new Happening.Named(ids[node], leader, term));
    }

    void disown(int node) {
        if (named[node] != 0) {
            var leader = ids[named[node]];
            named[node] = 0;
            witness.accept(new Happening.Disowned(ids[node], leader));
        }
    }
}
