package habemus.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * One thread's part of the search: the states whose hash falls to it. It expands its own states, and puts what comes of
 * them into batches for whoever keeps those.
 */
final class Shard implements Expander.Sink {

    private final int index;
    private final Batch[] outgoing;
    private final States states;
    private final Expander expander;
    private final Globals globals;
    private final Findings findings;
    private final int[] state;
    private int number; // of the state that is being expanded, among all
    private int expanded; // of the own states, so many
    private int levelEnd;
    private final List<Integer> levelEnds = new ArrayList<>();
    private boolean progress;
    long transitions;
    long beyond;
    long atRest;

    Shard(int index, Effort effort, Expander expander, Globals globals, Findings findings) {
        this.index = index;
        this.expander = expander;
        this.globals = globals;
        this.findings = findings;
        int width = expander.width();
        state = new int[width];
        states = new States(width, effort.compact());
        outgoing =
                Stream.generate(() -> new Batch(width)).limit(effort.threads()).toArray(Batch[]::new);
    }

    int size() {
        return states.size();
    }

    long bytes() {
        return states.bytes() + Arrays.stream(outgoing).mapToLong(Batch::bytes).sum();
    }

    /** States have numbers among all shards. */
    int[] read(int stateNumber) {
        var copy = new int[state.length];
        states.read(stateNumber / outgoing.length, copy);
        return copy;
    }

    /** @param own the number among its own */
    void readOwn(int own, int[] into) {
        states.read(own, into);
    }

    /** The number of a state among all; negative if nobody has met it. */
    static int find(int[] sought, Shard[] all) {
        long hash = Batch.hash(sought);
        int keeper = keeper(hash, all.length);
        int own = all[keeper].states.find(sought, hash);
        return own < 0 ? own : own * all.length + keeper;
    }

    /** Which of so many shards keeps a state. */
    private static int keeper(long hash, int shards) {
        return shards == 1 ? 0 : (int) ((hash & 0xFFFF) * shards >>> 16);
    }

    int parent(int stateNumber) {
        return states.parent(stateNumber / outgoing.length);
    }

    /** How many steps the shortest way to it takes. */
    int depth(int stateNumber) {
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
    int levelBegin(int level) {
        return level == 0 ? 0 : level <= levelEnds.size() ? levelEnds.get(level - 1) : states.size();
    }

    boolean hasBackEdge() {
        return states.hasBackEdge();
    }

    int index() {
        return index;
    }

    /** How many of its states were expanded: the first ones. */
    int expanded() {
        return expanded;
    }

    /** Takes what others have found for it. */
    void collect(Shard[] others) {
        for (Shard other : others) {
            var batch = other.outgoing[index];
            states.addAll(batch);
            batch.clear();
        }
    }

    /** What it has now is the level to expand next; tells how much that is. */
    int beginLevel() {
        states.beginLevel();
        levelEnd = states.size();
        levelEnds.add(levelEnd);
        progress = false;
        return levelEnd - expanded;
    }

    /** How many of its states were not expanded yet. */
    int frontier() {
        return states.size() - expanded;
    }

    boolean isDone() {
        return expanded == levelEnd;
    }

    /** Whether one state of this level was within the bound. */
    boolean madeProgress() {
        return progress;
    }

    /** Expands some more of the level. */
    void expand(int most) {
        int until = Math.min(levelEnd, expanded + most);
        for (; expanded < until; expanded++) {
            states.read(expanded, state);
            number = expanded * outgoing.length + index;
            if (parent(number) == Search.NONE) {
                find(globals.violated(state[state.length - 1]));
            }
            switch (expander.expand(state, this)) {
                case BEYOND -> beyond++;
                case GOING_ON -> progress = true;
                case SPENT -> {
                    progress = true;
                    findings.leaveOpen(globals.violatedAtRest(state[state.length - 1]));
                }
                case AT_REST -> {
                    progress = true;
                    atRest++;
                    find(globals.violatedAtRest(state[state.length - 1]));
                }
            }
        }
        states.expanded(expanded);
    }

    /** Of the state itself, without another step. */
    private void find(int violated) {
        int news = findings.news(violated);
        if (news != 0) {
            findings.add(news, number, -1, null);
        }
    }

    @Override
    public void next(int node, Turn turn, int[] after) {
        transitions++;
        int global = after[after.length - 1];
        if (global != state[state.length - 1]) {
            int news = findings.news(globals.violated(global));
            if (news != 0) {
                findings.add(news, number, node, turn);
            }
        }
        put(after, number);
    }

    void put(int[] after, int parent) {
        long hash = Batch.hash(after);
        outgoing[keeper(hash, outgoing.length)].add(after, parent, hash);
    }

    @Override
    public void failed(int node, Turn turn) {
        transitions++;
        if (turn.failure() != null) {
            findings.addFailure(turn.failure(), number, node, turn);
        }
    }
}
