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
 * One thread's part of the search: the states whose hash falls to it. It expands its own states, and puts what comes of
 * them into batches for whoever keeps those.
 */
public final class SearchShard implements SuccessorGenerator.SuccessorVisitor {

    private final int index;
    private final SuccessorBatch[] outgoing;
    private final VisitedStates visitedStates;
    private final SuccessorGenerator successorGenerator;
    private final GlobalStateTable globalStateTable;
    private final ViolationCollector violationCollector;
    private final int[] state;
    private int currentState; // of the state that is being expanded, among all
    private int expanded; // of the own states, so many
    private int levelEnd;
    private final List<Integer> levelEnds = new ArrayList<>();
    private boolean madeProgress;
    public long transitions;
    long beyondBound;
    long quiescent;

    SearchShard(
            int index,
            CheckOptions checkOptions,
            SuccessorGenerator successorGenerator,
            GlobalStateTable globalStateTable,
            ViolationCollector violationCollector) {
        this.index = index;
        this.successorGenerator = successorGenerator;
        this.globalStateTable = globalStateTable;
        this.violationCollector = violationCollector;
        int width = successorGenerator.width();
        state = new int[width];
        visitedStates = new VisitedStates(width, checkOptions.hashCompaction());
        outgoing = Stream.generate(() -> new SuccessorBatch(width))
                .limit(checkOptions.threads())
                .toArray(SuccessorBatch[]::new);
    }

    public int size() {
        return visitedStates.size();
    }

    long bytes() {
        return visitedStates.bytes()
                + Arrays.stream(outgoing).mapToLong(SuccessorBatch::bytes).sum();
    }

    /** States have numbers among all shards. */
    public int[] read(int stateNumber) {
        var copy = new int[state.length];
        visitedStates.read(stateNumber / outgoing.length, copy);
        return copy;
    }

    /** @param own the number among its own */
    public void readOwn(int own, int[] into) {
        visitedStates.read(own, into);
    }

    /** The number of a state among all; negative if nobody has met it. */
    public static int find(int[] sought, SearchShard[] all) {
        long hash = SuccessorBatch.hash(sought);
        int keeper = owner(hash, all.length);
        int own = all[keeper].visitedStates.find(sought, hash);
        return own < 0 ? own : own * all.length + keeper;
    }

    /** Which of so many shards keeps a state. */
    private static int owner(long hash, int shards) {
        return shards == 1 ? 0 : (int) ((hash & 0xFFFF) * shards >>> 16);
    }

    int parent(int stateNumber) {
        return visitedStates.parent(stateNumber / outgoing.length);
    }

    /** How many steps the shortest way to it takes. */
    public int depth(int stateNumber) {
        int level = 0;
        int end = levelEnds.size();
        while (level < end) {
            int middle = (level + end) / 2;
            if (levelBegin(middle + 1) > stateNumber / outgoing.length) {
                end = middle;
            } else {
                level = middle + 1;
            }
        }
        return level;
    }

    /** The first of its own states that is so many steps from the beginning, or farther. */
    public int levelBegin(int level) {
        return level == 0 ? 0 : level <= levelEnds.size() ? levelEnds.get(level - 1) : visitedStates.size();
    }

    public boolean hasBackEdge() {
        return visitedStates.hasBackEdge();
    }

    public int index() {
        return index;
    }

    /** How many of its states were expanded: the first ones. */
    public int expanded() {
        return expanded;
    }

    /** Takes what others have found for it. */
    void collect(SearchShard[] others) {
        for (SearchShard other : others) {
            var successorBatch = other.outgoing[index];
            visitedStates.addAll(successorBatch);
            successorBatch.clear();
        }
    }

    /** What it has now is the level to expand next; tells how much that is. */
    int beginLevel() {
        visitedStates.beginLevel();
        levelEnd = visitedStates.size();
        levelEnds.add(levelEnd);
        madeProgress = false;
        return levelEnd - expanded;
    }

    /** How many of its states were not expanded yet. */
    int frontier() {
        return visitedStates.size() - expanded;
    }

    boolean isDone() {
        return expanded == levelEnd;
    }

    /** Whether one state of this level was within the bound. */
    boolean madeProgress() {
        return madeProgress;
    }

    /** Expands some more of the level. */
    void expand(int most) {
        int until = Math.min(levelEnd, expanded + most);
        for (; expanded < until; expanded++) {
            visitedStates.read(expanded, state);
            currentState = expanded * outgoing.length + index;
            if (parent(currentState) == BreadthFirstSearch.NO_PARENT) {
                addViolations(globalStateTable.violated(state[state.length - 1]));
            }
            switch (successorGenerator.expand(state, this)) {
                case BEYOND_BOUND -> beyondBound++;
                case ACTIVE -> madeProgress = true;
                case BUDGET_EXHAUSTED -> {
                    madeProgress = true;
                    violationCollector.addUndecided(globalStateTable.violatedIfQuiescent(state[state.length - 1]));
                }
                case QUIESCENT -> {
                    madeProgress = true;
                    quiescent++;
                    addViolations(globalStateTable.violatedIfQuiescent(state[state.length - 1]));
                }
            }
        }
        visitedStates.releaseExpanded(expanded);
    }

    /** Of the state itself, without another step. */
    private void addViolations(int violated) {
        int news = violationCollector.unreported(violated);
        if (news != 0) {
            violationCollector.add(news, currentState, -1, null);
        }
    }

    @Override
    public void onSuccessor(int node, Transition transition, int[] after) {
        transitions++;
        int global = after[after.length - 1];
        if (global != state[state.length - 1]) {
            int news = violationCollector.unreported(globalStateTable.violated(global));
            if (news != 0) {
                violationCollector.add(news, currentState, node, transition);
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
            violationCollector.addFailure(transition.failure(), currentState, node, transition);
        }
    }
}
