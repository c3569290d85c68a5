package habemus.check.liveness;

import habemus.check.search.SearchShard;
import habemus.check.search.SuccessorGenerator;
import habemus.check.store.Transition;
import java.util.BitSet;

/** The edges from the states of one shard: the target of each, and whether a node acquires the lock in it. */
final class EdgeCollector implements SuccessorGenerator.SuccessorVisitor {

    private final SearchShard[] all;
    private final int[] firstEdge; // by state of the shard
    private final int[] targets;
    private final BitSet entries = new BitSet();
    private int size;

    /**
     * Expands the expanded states of the shard once more: the edges come in the same order every time.
     *
     * @param onStateExpanded called after each state, and may throw
     */
    EdgeCollector(SearchShard shard, SearchShard[] all, SuccessorGenerator generator, Runnable onStateExpanded) {
        this.all = all;
        firstEdge = new int[shard.expanded() + 1];
        targets = new int[Math.toIntExact(shard.transitions)];
        var state = new int[generator.width()];
        for (int own = 0; own < shard.expanded(); own++) {
            shard.readOwn(own, state);
            generator.expand(state, this);
            onStateExpanded.run();
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
        // no edge
    }

    /** The number of edges of a state; zero if the search did not expand it. */
    int degree(int own) {
        return own < firstEdge.length - 1 ? firstEdge[own + 1] - firstEdge[own] : 0;
    }

    int target(int own, int edge) {
        return targets[firstEdge[own] + edge];
    }

    boolean isEntry(int own, int edge) {
        return entries.get(firstEdge[own] + edge);
    }
}
