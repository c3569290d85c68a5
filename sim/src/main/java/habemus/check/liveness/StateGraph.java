package habemus.check.liveness;

import habemus.check.search.BreadthFirstSearch;
import habemus.check.search.SearchShard;
import habemus.check.search.ShardWorkers;
import habemus.check.search.SuccessorGenerator;
import habemus.check.store.NodeTransition;
import habemus.check.store.Transition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The states of a search, and the steps between them. */
public final class StateGraph implements Digraph {

    /** Where it leads, and whether somebody gets in. */
    private static final int BYTES_PER_EDGE = 5;

    /** Where its steps begin, and what {@link StronglyConnectedComponents} need. */
    private static final int BYTES_PER_STATE = 48;

    /** More than an array can have. */
    private static final long TOO_MANY = 1L << 48;

    private final SearchShard[] searchShards;
    private final SuccessorGenerator successorGenerator;
    private final EdgeCollector[] edgeCollector;
    private final int[] state;
    private int cachedState = BreadthFirstSearch.NO_PARENT; // whose moves are at hand
    private List<NodeTransition> cachedTransitions = List.of();

    public StateGraph(
            ShardWorkers shardWorkers, SearchShard[] searchShards, Supplier<SuccessorGenerator> successorGenerators) {
        this.searchShards = searchShards;
        successorGenerator = successorGenerators.get();
        state = new int[successorGenerator.width()];
        edgeCollector = new EdgeCollector[searchShards.length];
        shardWorkers.forEachShard(searchShard -> edgeCollector[searchShard.index()] =
                new EdgeCollector(searchShard, searchShards, successorGenerators.get()));
    }

    /** What the graph of a search would take, with all that is needed to find its cycles. */
    public static long bytes(SearchShard[] searchShards) {
        return Arrays.stream(searchShards).mapToLong(StateGraph::bytes).sum();
    }

    private static long bytes(SearchShard searchShard) {
        return searchShard.transitions > Integer.MAX_VALUE
                ? TOO_MANY
                : BYTES_PER_EDGE * searchShard.transitions + BYTES_PER_STATE * (long) searchShard.size();
    }

    @Override
    public int size() {
        return searchShards.length
                * Arrays.stream(searchShards).mapToInt(SearchShard::size).max().orElse(0);
    }

    @Override
    public int degree(int number) {
        return edgeCollector[number % searchShards.length].degree(number / searchShards.length);
    }

    @Override
    public int target(int number, int step) {
        return edgeCollector[number % searchShards.length].target(number / searchShards.length, step);
    }

    /** Whether somebody gets in by this step. */
    boolean isEntry(int number, int step) {
        return edgeCollector[number % searchShards.length].isEntry(number / searchShards.length, step);
    }

    int[] state(int number) {
        return searchShards[number % searchShards.length].read(number);
    }

    int depth(int number) {
        return searchShards[number % searchShards.length].depth(number);
    }

    /** The states of which this is true. */
    BitSet states(Predicate<int[]> what) {
        var some = new BitSet(size());
        for (SearchShard searchShard : searchShards) {
            for (int own = 0; own < searchShard.size(); own++) {
                searchShard.readOwn(own, state);
                if (what.test(state)) {
                    some.set(own * searchShards.length + searchShard.index());
                }
            }
        }
        return some;
    }

    /** All states, the farthest first. */
    int[] deepestFirst() {
        var order =
                new int[Arrays.stream(searchShards).mapToInt(SearchShard::size).sum()];
        int at = order.length;
        for (int level = 0; at > 0; level++) {
            for (SearchShard searchShard : searchShards) {
                for (int own = searchShard.levelBegin(level); own < searchShard.levelBegin(level + 1); own++) {
                    order[--at] = own * searchShards.length + searchShard.index();
                }
            }
        }
        return order;
    }

    /** Whether every step leads one level down, so that there is no cycle. */
    boolean hasNoBackEdge() {
        return Arrays.stream(searchShards).noneMatch(SearchShard::hasBackEdge);
    }

    /** Whether one can come back to some state. */
    public boolean hasCycle() {
        return !hasNoBackEdge()
                && !StronglyConnectedComponents.of(this, states(each -> true))
                        .cyclicComponents()
                        .isEmpty();
    }

    /** What happens in each step after a state, in their order. */
    List<NodeTransition> nodeTransitions(int number) {
        if (number != cachedState) {
            cachedTransitions = computeNodeTransitions(number);
            cachedState = number;
        }
        return cachedTransitions;
    }

    private List<NodeTransition> computeNodeTransitions(int number) {
        var made = new ArrayList<NodeTransition>();
        successorGenerator.expand(state(number), new SuccessorGenerator.SuccessorVisitor() {
            @Override
            public void onSuccessor(int node, Transition transition, int[] after) {
                made.add(new NodeTransition(node, transition));
            }

            @Override
            public void onFailure(int node, Transition transition) {
                // no step
            }
        });
        return made;
    }

    /** What must not be put off for ever in a state. */
    List<NodeTransition> obligations(int number) {
        return successorGenerator.obligations(state(number));
    }
}
