package habemus.check.search;

import habemus.check.model.CheckOptions;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.SuccessorBatch;
import habemus.check.store.Transition;
import habemus.check.store.VisitedStates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * One thread's part of a search: the states whose hash belongs to it. A shard expands its own states, and sends their
 * successors in batches to the shards that own them. The number of a state is unique among all shards.
 */
public final class SearchShard implements SuccessorGenerator.SuccessorVisitor {

    private final int index;
    private final SuccessorBatch[] outgoing;
    private final VisitedStates states;
    private final SuccessorGenerator generator;
    private final GlobalStateTable globalStates;
    private final ViolationCollector violations;
    private final ResultCollector results;
    private final int[] state;
    private int currentState; // the number of the state that is being expanded
    private int expanded; // the number of its states that are expanded: the first ones
    private int levelEnd;
    private final List<Integer> levelEnds = new ArrayList<>();
    private boolean madeProgress;
    public long transitions;
    long beyondBound;
    long quiescent;

    SearchShard(
            int index,
            CheckOptions options,
            StateSpace stateSpace,
            ViolationCollector violations,
            ResultCollector results) {
        this.index = index;
        generator = stateSpace.reducedSuccessors();
        globalStates = stateSpace.globalStates();
        this.violations = violations;
        this.results = results;
        int width = generator.width();
        state = new int[width];
        states = new VisitedStates(width, options.hashCompaction());
        outgoing = Stream.generate(() -> new SuccessorBatch(width))
                .limit(options.workers().count())
                .toArray(SuccessorBatch[]::new);
    }

    public int size() {
        return states.size();
    }

    long bytes() {
        return states.bytes()
                + Arrays.stream(outgoing).mapToLong(SuccessorBatch::bytes).sum();
    }

    public int[] read(int number) {
        var copy = new int[state.length];
        states.read(number / outgoing.length, copy);
        return copy;
    }

    /** @param own the index among the states of this shard */
    public void readOwn(int own, int[] into) {
        states.read(own, into);
    }

    /** The number of a state; negative if no shard visited it. */
    public static int find(int[] sought, SearchShard[] all) {
        long hash = SuccessorBatch.hash(sought);
        int owner = owner(hash, all.length);
        int own = all[owner].states.find(sought, hash);
        return own < 0 ? own : own * all.length + owner;
    }

    private static int owner(long hash, int shards) {
        return shards == 1 ? 0 : (int) ((hash & 0xFFFF) * shards >>> 16);
    }

    int parent(int number) {
        return states.parent(number / outgoing.length);
    }

    /** The number of transitions on a shortest path to a state. */
    public int depth(int number) {
        int level = 0;
        int end = levelEnds.size();
        while (level < end) {
            int middle = (level + end) / 2;
            if (levelBegin(middle + 1) > number / outgoing.length) {
                end = middle;
            } else {
                level = middle + 1;
            }
        }
        return level;
    }

    /** The index of the first state of this shard on a level. */
    public int levelBegin(int level) {
        return level == 0 ? 0 : level <= levelEnds.size() ? levelEnds.get(level - 1) : states.size();
    }

    public boolean hasBackEdge() {
        return states.hasBackEdge();
    }

    public int index() {
        return index;
    }

    /** The number of states that are expanded: the first ones. */
    public int expanded() {
        return expanded;
    }

    /** Adds the successors that all shards sent to this one. */
    void collect(SearchShard[] others) {
        for (SearchShard other : others) {
            var batch = other.outgoing[index];
            states.addAll(batch);
            batch.clear();
        }
    }

    /** Starts the next level with the states that are not expanded; returns their number. */
    int beginLevel() {
        states.beginLevel();
        levelEnd = states.size();
        levelEnds.add(levelEnd);
        madeProgress = false;
        return levelEnd - expanded;
    }

    /** The number of states that are not expanded. */
    int frontier() {
        return states.size() - expanded;
    }

    boolean isDone() {
        return expanded == levelEnd;
    }

    /** Whether a state of this level is within the bound. */
    boolean madeProgress() {
        return madeProgress;
    }

    /** Expands at most this number of states of the level. */
    void expand(int max) {
        int until = Math.min(levelEnd, expanded + max);
        for (; expanded < until; expanded++) {
            states.read(expanded, state);
            currentState = expanded * outgoing.length + index;
            if (parent(currentState) == BreadthFirstSearch.NO_PARENT) {
                addViolations(globalStates.violated(state[state.length - 1]));
            }
            switch (generator.expand(state, this)) {
                case BEYOND_BOUND -> beyondBound++;
                case ACTIVE -> madeProgress = true;
                case BUDGET_EXHAUSTED -> {
                    madeProgress = true;
                    violations.addUndecided(globalStates.violatedIfQuiescent(state[state.length - 1]));
                }
                case QUIESCENT -> {
                    madeProgress = true;
                    quiescent++;
                    addViolations(globalStates.violatedIfQuiescent(state[state.length - 1]));
                    results.add(state, currentState);
                }
            }
        }
        states.releaseExpanded(expanded);
    }

    /** Adds the violations of the current state itself. */
    private void addViolations(int violated) {
        int unreported = violations.unreported(violated);
        if (unreported != 0) {
            violations.add(unreported, currentState, -1, null);
        }
    }

    @Override
    public void onSuccessor(int node, Transition transition, int[] after) {
        transitions++;
        int global = after[after.length - 1];
        if (global != state[state.length - 1]) {
            int unreported = violations.unreported(globalStates.violated(global));
            if (unreported != 0) {
                violations.add(unreported, currentState, node, transition);
            }
        }
        send(after, currentState);
    }

    void send(int[] after, int parent) {
        long hash = SuccessorBatch.hash(after);
        outgoing[owner(hash, outgoing.length)].add(after, parent, hash);
    }

    @Override
    public void onFailure(int node, Transition transition) {
        transitions++;
        if (transition.failure() != null) {
            violations.addFailure(transition.failure(), currentState, node, transition);
        }
    }
}
