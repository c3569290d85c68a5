package habemus.check;

import habemus.world.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Every corner that was met, as a number; and what comes of it, looked up. Anybody may look something up at any time;
 * what was never asked before is worked out by one thread at a time.
 */
final class Corners {

    private final Scope scope;
    private final Stage<?, ?> stage;
    private final Inboxes inboxes;
    private final Turns turns;
    private final LongMap numbers = new LongMap();
    private final LongMap added = new LongMap();
    private final LongMap aged = new LongMap();
    private final LongMap forgotten = new LongMap();
    private final List<Corner.Facts> facts = new ArrayList<>(); // by cell
    private volatile Corner[] corners = new Corner[1 << 10];
    private int size;

    Corners(Stage<?, ?> stage, Globals globals) {
        this.stage = stage;
        scope = stage.scope();
        inboxes = new Inboxes(scope.inOrder());
        turns = new Turns(stage, globals.judges(Property.HAPPENED_BEFORE_ORDER), inboxes, globals);
    }

    Corner get(int corner) {
        return corners[corner];
    }

    /** How many there are. */
    synchronized int size() {
        return size;
    }

    /** The node's own part of it. */
    synchronized Cell cell(int number) {
        return turns.cell(number);
    }

    synchronized Letter letter(int number) {
        return inboxes.letter(number);
    }

    synchronized List<Turn> starts(int node) {
        return turns.starts(node);
    }

    /** The corner of a node that has just come up, for the first time. */
    synchronized int first(Turn start) {
        return corner(start.after(), inboxes.empty());
    }

    /** What may happen at a corner. */
    Turn[] turns(Corner corner) {
        if (!corner.isWorkedOut()) {
            workOut(corner);
        }
        return corner.turns();
    }

    /** The corner with one letter more. */
    int plus(int corner, int letter) {
        int known = added.get(key(corner, letter));
        return known != LongMap.ABSENT ? known : workOutPlus(corner, letter);
    }

    /** The corner so many ticks later. */
    int later(int corner, int ticks) {
        int known = aged.get(key(corner, ticks));
        return known != LongMap.ABSENT ? known : workOutLater(corner, ticks);
    }

    /** The corner without the request of this node, which waits no longer, in its past. */
    int forgetting(int corner, int node) {
        int known = forgotten.get(key(corner, node));
        return known != LongMap.ABSENT ? known : workOutForgetting(corner, node);
    }

    private static long key(int one, int other) {
        return (long) one << 32 | other;
    }

    private synchronized int workOutPlus(int corner, int letter) {
        var from = corners[corner];
        return remember(added, key(corner, letter), corner(from.cell, inboxes.plus(from.inbox, letter)));
    }

    private synchronized int workOutLater(int corner, int ticks) {
        var from = corners[corner];
        int cell = turns.cell(turns.cell(from.cell).later(ticks));
        return remember(aged, key(corner, ticks), corner(cell, from.inbox));
    }

    private synchronized int workOutForgetting(int corner, int node) {
        var from = corners[corner];
        var gone = stage.id(node);
        var cell = turns.cell(from.cell);
        int next = turns.cell(cell.after(cell.past().without(gone)));
        return remember(forgotten, key(corner, node), corner(next, inboxes.forgetting(from.inbox, gone)));
    }

    /** Somebody else may have been faster. */
    private static int remember(LongMap map, long key, int value) {
        return map.get(key) == LongMap.ABSENT ? map.put(key, value) : value;
    }

    private synchronized void workOut(Corner corner) {
        var made = new ArrayList<Turn>();
        int[] after = new int[8];
        for (Turn turn : turns.at(corner.cell)) {
            after = put(after, made.size(), corner(turn.after(), corner.inbox));
            made.add(turn);
        }
        for (int letter : inboxes.heads(corner.inbox)) {
            int rest = inboxes.minus(corner.inbox, letter);
            for (Turn turn : turns.at(corner.cell, letter)) {
                boolean stays = turn.kind() == Choice.Kind.DOUBLE;
                after = put(after, made.size(), corner(turn.after(), stays ? corner.inbox : rest));
                made.add(turn);
            }
        }
        corner.workedOut(made.toArray(Turn[]::new), Arrays.copyOf(after, made.size()));
    }

    private static int[] put(int[] list, int at, int value) {
        var longer = at < list.length ? list : Arrays.copyOf(list, 2 * at);
        longer[at] = value;
        return longer;
    }

    private int corner(int cell, int inbox) {
        long key = key(cell, inbox);
        int known = numbers.get(key);
        if (known != LongMap.ABSENT) {
            return known;
        }
        if (size == corners.length) {
            corners = Arrays.copyOf(corners, 2 * size);
        }
        corners[size] = new Corner(cell, inbox, inbox == inboxes.empty(), facts(cell));
        numbers.put(key, size);
        return size++;
    }

    private Corner.Facts facts(int cell) {
        while (facts.size() <= cell) {
            var what = turns.cell(facts.size());
            boolean beyond = what.up()
                    && scope.bound()
                            .map(bound -> !bound.within().test(what.state()))
                            .orElse(false);
            int latest =
                    what.alarms().stream().mapToInt(Cell.Pending::atMost).min().orElse(Integer.MAX_VALUE);
            facts.add(new Corner.Facts(what.up(), what.use() == Cell.Use.WAITING, beyond, latest));
        }
        return facts.get(cell);
    }
}
