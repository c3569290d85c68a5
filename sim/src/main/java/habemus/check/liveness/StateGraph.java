package habemus.check.liveness;

import habemus.check.search.BreadthFirstSearch;
import habemus.check.search.SearchResult;
import habemus.check.search.SearchShard;
import habemus.check.search.SuccessorGenerator;
import habemus.check.store.NodeTransition;
import habemus.check.store.Transition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;

/** The explicit graph of a finished search: its visited states, and the transitions between them. */
public final class StateGraph implements Digraph {

    /** The target, and whether it is an entry. */
    private static final int BYTES_PER_EDGE = 5;

    /** The index of its first edge, and the arrays of {@link StronglyConnectedComponents}. */
    private static final int BYTES_PER_STATE = 48;

    /** In place of a size: an array cannot hold the edges. */
    private static final long TOO_MANY = 1L << 48;

    /** How many edges are read, or states expanded, before the limits of the check are looked at: a power of two. */
    private static final int WORK_PER_LOOK = 1 << 12;

    private final SearchResult result;
    private final SearchShard[] shards;
    private final SuccessorGenerator generator;
    private final EdgeCollector[] edges;
    private final int[] state;
    private int work;
    private int cachedState = BreadthFirstSearch.NO_PARENT; // whose transitions are cached
    private List<NodeTransition> cachedTransitions = List.of();

    /**
     * Expands all states once more, on as many threads as the search.
     *
     * @throws habemus.check.search.SearchStoppedException if the limits of the search end the work; so may later calls
     */
    public StateGraph(SearchResult result) {
        this.result = result;
        result.beginWork();
        shards = result.shards();
        generator = result.stateSpace().reducedSuccessors();
        state = new int[generator.width()];
        edges = new EdgeCollector[shards.length];
        try (var workers = result.startWorkers()) {
            workers.forEachShard(shard -> edges[shard.index()] =
                    new EdgeCollector(shard, shards, result.stateSpace().reducedSuccessors(), this::count));
        }
    }

    /** The memory that the graph of a search needs, with all that is needed to find its cycles. */
    public static long bytes(SearchResult result) {
        return Arrays.stream(result.shards()).mapToLong(StateGraph::bytes).sum();
    }

    private static long bytes(SearchShard shard) {
        return shard.transitions > Integer.MAX_VALUE
                ? TOO_MANY
                : BYTES_PER_EDGE * shard.transitions + BYTES_PER_STATE * (long) shard.size();
    }

    @Override
    public int size() {
        return shards.length
                * Arrays.stream(shards).mapToInt(SearchShard::size).max().orElse(0);
    }

    /** Counts work of any thread; a lost count does no harm. */
    private void count() {
        if ((++work & WORK_PER_LOOK - 1) == 0) {
            result.stopIfNeeded();
        }
    }

    @Override
    public int degree(int number) {
        count();
        return edges[number % shards.length].degree(number / shards.length);
    }

    @Override
    public int target(int number, int edge) {
        return edges[number % shards.length].target(number / shards.length, edge);
    }

    /** Whether a node acquires the lock in this transition. */
    boolean isEntry(int number, int edge) {
        return edges[number % shards.length].isEntry(number / shards.length, edge);
    }

    int[] state(int number) {
        return shards[number % shards.length].read(number);
    }

    int depth(int number) {
        return shards[number % shards.length].depth(number);
    }

    /** The numbers of the states that match. */
    BitSet states(Predicate<int[]> predicate) {
        var numbers = new BitSet(size());
        for (SearchShard shard : shards) {
            for (int own = 0; own < shard.size(); own++) {
                shard.readOwn(own, state);
                if (predicate.test(state)) {
                    numbers.set(own * shards.length + shard.index());
                }
            }
        }
        return numbers;
    }

    /** All states, the deepest level first. */
    int[] deepestFirst() {
        var order = new int[Arrays.stream(shards).mapToInt(SearchShard::size).sum()];
        int at = order.length;
        for (int level = 0; at > 0; level++) {
            for (SearchShard shard : shards) {
                for (int own = shard.levelBegin(level); own < shard.levelBegin(level + 1); own++) {
                    order[--at] = own * shards.length + shard.index();
                }
            }
        }
        return order;
    }

    /** Whether every transition leads to the next level, so that there is no cycle. */
    boolean hasNoBackEdge() {
        return Arrays.stream(shards).noneMatch(SearchShard::hasBackEdge);
    }

    public boolean hasCycle() {
        return !hasNoBackEdge()
                && !StronglyConnectedComponents.of(this, states(every -> true))
                        .cyclicComponents()
                        .isEmpty();
    }

    /** The transitions of a state, in the order of its edges. */
    List<NodeTransition> nodeTransitions(int number) {
        if (number != cachedState) {
            cachedTransitions = computeNodeTransitions(number);
            cachedState = number;
        }
        return cachedTransitions;
    }

    private List<NodeTransition> computeNodeTransitions(int number) {
        var added = new ArrayList<NodeTransition>();
        generator.expand(state(number), new SuccessorGenerator.SuccessorVisitor() {
            @Override
            public void onSuccessor(int node, Transition transition, int[] after) {
                added.add(new NodeTransition(node, transition));
            }

            @Override
            public void onFailure(int node, Transition transition) {
                // no edge
            }
        });
        return added;
    }

    /** The transitions that must not be postponed forever in a state. */
    List<NodeTransition> obligations(int number) {
        return generator.obligations(state(number));
    }
}
