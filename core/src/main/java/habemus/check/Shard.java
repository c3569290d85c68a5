package habemus.check;

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
    private boolean progress;
    long transitions;
    long beyond;
    long atRest;

    /** @param shards how many there are */
    Shard(int index, int shards, Expander expander, Globals globals, Findings findings) {
        this.index = index;
        this.expander = expander;
        this.globals = globals;
        this.findings = findings;
        int width = expander.width();
        state = new int[width];
        states = new States(width);
        outgoing = Stream.generate(() -> new Batch(width)).limit(shards).toArray(Batch[]::new);
    }

    int size() {
        return states.size();
    }

    long bytes() {
        return states.bytes();
    }

    /** States have numbers among all shards. */
    int[] read(int stateNumber) {
        var copy = new int[state.length];
        states.read(stateNumber / outgoing.length, copy);
        return copy;
    }

    int parent(int stateNumber) {
        return states.parent(stateNumber / outgoing.length);
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
        levelEnd = states.size();
        progress = false;
        return levelEnd - expanded;
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
        int shard = outgoing.length == 1 ? 0 : (int) ((hash & 0xFFFF) * outgoing.length >>> 16);
        outgoing[shard].add(after, parent, hash);
    }

    @Override
    public void failed(int node, Turn turn) {
        transitions++;
        if (turn.failure() != null) {
            findings.addFailure(turn.failure(), number, node, turn);
        }
    }
}
