package habemus.check;

import java.util.BitSet;

/** The steps from one shard's states to all others: of each only where it leads, and whether somebody gets in. */
final class Edges implements Expander.Sink {

    private final Shard[] all;
    private final int[] begin; // of the steps of each own state
    private final int[] targets;
    private final BitSet entering = new BitSet();
    private int size;

    /** Expands once more what the shard has expanded: the steps come in the same order every time. */
    Edges(Shard shard, Shard[] all, Expander expander) {
        this.all = all;
        begin = new int[shard.expanded() + 1];
        targets = new int[Math.toIntExact(shard.transitions)];
        var state = new int[expander.width()];
        for (int own = 0; own < shard.expanded(); own++) {
            shard.readOwn(own, state);
            expander.expand(state, this);
            begin[own + 1] = size;
        }
    }

    @Override
    public void next(int node, Turn turn, int[] state) {
        if (turn.enters()) {
            entering.set(size);
        }
        targets[size++] = Shard.find(state, all);
    }

    @Override
    public void failed(int node, Turn turn) {
        // leads nowhere
    }

    /** How many steps lead from a state; none from one that was not expanded. */
    int degree(int own) {
        return own < begin.length - 1 ? begin[own + 1] - begin[own] : 0;
    }

    int target(int own, int step) {
        return targets[begin[own] + step];
    }

    boolean enters(int own, int step) {
        return entering.get(begin[own] + step);
    }
}
