package habemus.check;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** The states of a search, and the steps between them. */
final class Graph implements Digraph {

    /** Where it leads, and whether somebody gets in. */
    private static final int BYTES_A_STEP = 5;

    /** Where its steps begin, and what {@link Components} need. */
    private static final int BYTES_A_STATE = 48;

    /** More than an array can have. */
    private static final long TOO_MANY = 1L << 48;

    private final Shard[] shards;
    private final Expander expander;
    private final Edges[] edges;
    private final int[] state;
    private int last = Search.NONE; // whose moves are at hand
    private List<Move> moves = List.of();

    Graph(Crew crew, Shard[] shards, Supplier<Expander> expanders) {
        this.shards = shards;
        expander = expanders.get();
        state = new int[expander.width()];
        edges = new Edges[shards.length];
        crew.all(shard -> edges[shard.index()] = new Edges(shard, shards, expanders.get()));
    }

    /** What the graph of a search would take, with all that is needed to find its cycles. */
    static long bytes(Shard[] shards) {
        return Arrays.stream(shards).mapToLong(Graph::bytes).sum();
    }

    private static long bytes(Shard shard) {
        return shard.transitions > Integer.MAX_VALUE
                ? TOO_MANY
                : BYTES_A_STEP * shard.transitions + BYTES_A_STATE * (long) shard.size();
    }

    @Override
    public int size() {
        return shards.length * Arrays.stream(shards).mapToInt(Shard::size).max().orElse(0);
    }

    @Override
    public int degree(int number) {
        return edges[number % shards.length].degree(number / shards.length);
    }

    @Override
    public int target(int number, int step) {
        return edges[number % shards.length].target(number / shards.length, step);
    }

    /** Whether somebody gets in by this step. */
    boolean enters(int number, int step) {
        return edges[number % shards.length].enters(number / shards.length, step);
    }

    int[] state(int number) {
        return shards[number % shards.length].read(number);
    }

    int depth(int number) {
        return shards[number % shards.length].depth(number);
    }

    /** The states of which this is true. */
    BitSet states(Predicate<int[]> what) {
        var some = new BitSet(size());
        for (Shard shard : shards) {
            for (int own = 0; own < shard.size(); own++) {
                shard.readOwn(own, state);
                if (what.test(state)) {
                    some.set(own * shards.length + shard.index());
                }
            }
        }
        return some;
    }

    /** All states, the farthest first. */
    int[] farthestFirst() {
        var order = new int[Arrays.stream(shards).mapToInt(Shard::size).sum()];
        int at = order.length;
        for (int level = 0; at > 0; level++) {
            for (Shard shard : shards) {
                for (int own = shard.levelBegin(level); own < shard.levelBegin(level + 1); own++) {
                    order[--at] = own * shards.length + shard.index();
                }
            }
        }
        return order;
    }

    /** Whether every step leads one level down, so that there is no cycle. */
    boolean isGraded() {
        return Arrays.stream(shards).noneMatch(Shard::hasBackEdge);
    }

    /** Whether one can come back to some state. */
    boolean hasCycle() {
        return !isGraded()
                && !Components.of(this, states(each -> true)).cycles().isEmpty();
    }

    /** What happens in each step after a state, in their order. */
    List<Move> moves(int number) {
        if (number != last) {
            moves = workOutMoves(number);
            last = number;
        }
        return moves;
    }

    private List<Move> workOutMoves(int number) {
        var made = new ArrayList<Move>();
        expander.expand(state(number), new Expander.Sink() {
            @Override
            public void next(int node, Turn turn, int[] after) {
                made.add(new Move(node, turn));
            }

            @Override
            public void failed(int node, Turn turn) {
                // no step
            }
        });
        return made;
    }

    /** What must not be put off for ever in a state. */
    List<Move> obliged(int number) {
        return expander.obliged(state(number));
    }
}
