package habemus.check.liveness;

import habemus.check.search.SearchShard;
import habemus.check.search.SuccessorGenerator;
import habemus.check.store.Transition;
import java.util.BitSet;

/** The steps from one shard's states to all others: of each only where it leads, and whether somebody gets in. */
final class EdgeCollector implements SuccessorGenerator.SuccessorVisitor {

    private final SearchShard[] all;
    private final int[] firstEdge; // of the steps of each own state
    private final int[] targets;
    private final BitSet entries = new BitSet();
    private int size;

    /** Expands once more what the shard has expanded: the steps come in the same order every time. */
    EdgeCollector(SearchShard searchShard, SearchShard[] all, SuccessorGenerator successorGenerator) {
        this.all = all;
        firstEdge = new int[searchShard.expanded() + 1];
        targets = new int[Math.toIntExact(searchShard.transitions)];
        var state = new int[successorGenerator.width()];
        for (int own = 0; own < searchShard.expanded(); own++) {
            searchShard.readOwn(own, state);
            successorGenerator.expand(state, this);
            firstEdge[own + 1] = size;
        }
    }

    @Override
    public void onSuccessor(int node, Transition transition, int[] state) {
        if (transition.isEntry()) {
            entries.set(size);
        }
        targets[size++] = SearchShard.find(state, all);
    }

    @Override
    public void onFailure(int node, Transition transition) {
        // leads nowhere
    }

    /** How many steps lead from a state; none from one that was not expanded. */
    int degree(int own) {
        return own < firstEdge.length - 1 ? firstEdge[own + 1] - firstEdge[own] : 0;
    }

    int target(int own, int step) {
        return targets[firstEdge[own] + step];
    }

    boolean isEntry(int own, int step) {
        return entries.get(firstEdge[own] + step);
    }
}
