package habemus.check;

import habemus.world.Property;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Every corner that was met, as a number: all there is at one node, its cell and its inbox; and what comes of it,
 * looked up. A state of the world is a corner for each node. Anybody may look something up at any time; what was never
 * asked before is worked out by one thread at a time.
 */
final class Corners {

    private static final int UP = 1;
    private static final int BEYOND = 2;
    private static final int WAITING = 4;
    private static final int LATE = 8;
    private static final int EARLY = 16;
    private static final int BITS = 5;

    /** The columns of a corner. */
    private static final int CELL = 0; // and some bits

    private static final int INBOX = 1;

    /** The kinds of ways from one corner to another without a turn. */
    private static final int PLUS = 0;

    private static final int LATER = 1;
    private static final int FORGETTING = 2;
    private static final int HELD = 3;

    private static final int UNKNOWN = 0;
    private static final int KNOWN = 2;

    private static final VarHandle RUNS = MethodHandles.arrayElementVarHandle(int[][].class);

    private final Scope scope;
    private final Stage<?, ?> stage;
    private final Inboxes inboxes;
    private final Turns turns;
    private final @Nullable Symmetry symmetry; // null where every name matters
    private final @Nullable Shadows shadows; // null where no letter may hurry
    private final LongMap renamed = new LongMap();
    private final LongMap numbers = new LongMap();
    private final Rows corners = new Rows(2);
    private final LongMap ways = new LongMap();
    private volatile int[][] runs = new int[1 << 10][]; // by corner: each turn, and the corner after it
    private long inRuns; // so many numbers
    private volatile int[] hasty = {}; // by corner, raised by KNOWN: the place of a turn in its run
    private final Rows facts = new Rows(2); // by cell: its bits, and when the first alarm rings at the latest

    Corners(Stage<?, ?> stage, Globals globals, Assumptions assumptions) {
        this.stage = stage;
        scope = stage.scope();
        inboxes = new Inboxes(scope.inOrder());
        turns = new Turns(stage, globals.judges(Property.HAPPENED_BEFORE_ORDER), inboxes, globals);
        symmetry = assumptions.symmetry() ? new Symmetry(scope, turns, inboxes, globals, assumptions) : null;
        shadows = assumptions.order() ? new Shadows(scope, turns, inboxes, symmetry, assumptions.doubts()) : null;
    }

    /** About what it takes, all in. */
    synchronized long bytes() {
        return numbers.bytes()
                + corners.bytes()
                + ways.bytes()
                + renamed.bytes()
                + 4L * runs.length
                + 4L * hasty.length
                + 4 * inRuns
                + 16L * corners.size()
                + facts.bytes()
                + inboxes.bytes()
                + turns.bytes();
    }

    /** The node's own part of it. */
    synchronized Cell cell(int number) {
        return turns.cell(number);
    }

    synchronized Letter letter(int number) {
        return inboxes.letter(number);
    }

    int cellOf(int corner) {
        return corners.get(corner, CELL) >>> BITS;
    }

    int inboxOf(int corner) {
        return corners.get(corner, INBOX);
    }

    boolean isUp(int corner) {
        return (corners.get(corner, CELL) & UP) != 0;
    }

    /** Whether the bound of the scope ends the search here. */
    boolean isBeyond(int corner) {
        return (corners.get(corner, CELL) & BEYOND) != 0;
    }

    /** Whether the node has just resumed: {@link Cell.Life#LATE}. */
    boolean isLate(int corner) {
        return (corners.get(corner, CELL) & LATE) != 0;
    }

    /** Whether a letter is under way to here that an alarm has to wait for: {@link Letter#early}. */
    boolean isHurried(int corner) {
        return (corners.get(corner, CELL) & EARLY) != 0;
    }

    /** Whether its application waits to get in. */
    boolean isWaiting(int corner) {
        return (corners.get(corner, CELL) & WAITING) != 0;
    }

    /** Whether no letter is under way to here. */
    boolean isQuiet(int corner) {
        return corners.get(corner, INBOX) == inboxes.empty();
    }

    /** In how many ticks the first alarm rings at the latest. */
    int latest(int corner) {
        return facts.get(cellOf(corner), 1);
    }

    synchronized List<Turn> starts(int node) {
        return turns.starts(node);
    }

    /** The corner of a node that has just come up, for the first time. */
    synchronized int first(Turn start) {
        return corner(start.after(), inboxes.empty());
    }

    /** What may happen at a corner: the number of each turn, and behind it that of the corner after it. */
    int[] run(int corner) {
        var all = runs;
        var run = corner < all.length ? (int[]) RUNS.getAcquire(all, corner) : null;
        return run != null ? run : workOutRun(corner);
    }

    Turn turn(int number) {
        return turns.get(number);
    }

    /** The place in its run of a turn that may as well happen at once; negative if there is none. */
    int hasty(int corner) {
        var all = hasty;
        int known = corner < all.length ? all[corner] : UNKNOWN;
        return known != UNKNOWN ? known - KNOWN : workOutHasty(corner);
    }

    private synchronized int workOutHasty(int corner) {
        int place = -1;
        if (shadows != null && !isQuiet(corner)) {
            int[] run = run(corner);
            for (int i = 0; i < run.length && place < 0; i += 2) {
                var letter = turn(run[i]).choice().letter();
                place = letter != null && shadows.mayHurry(cellOf(corner), inboxes.letter(letter)) ? i : -1;
            }
        }
        if (corner >= hasty.length) {
            hasty = Arrays.copyOf(hasty, Math.max(corner + 1, 2 * hasty.length));
        }
        hasty[corner] = place + KNOWN;
        return place;
    }

    /** Looks again at which letters may hurry, and which renamings go unnoticed. Only while nobody else asks. */
    synchronized void reconsider() {
        if (symmetry != null) {
            symmetry.compare();
        }
        if (shadows != null && shadows.refute()) {
            Arrays.fill(hasty, UNKNOWN);
        }
    }

    /** Whether no letter hurried that may not. */
    synchronized boolean hurryRightly() {
        return shadows == null || shadows.stand();
    }

    /** Puts letters into the inboxes of a state. */
    void deliver(int[] state, Turn.Post post) {
        for (int i = 0; i < post.size(); i++) {
            int to = post.receiver(i);
            state[to] = plus(state[to], post.letter(i));
        }
    }

    /** The corner after the renaming at this place of the group. */
    int renamed(int renaming, int corner) {
        int known = renamed.get((long) renaming << 32 | corner);
        return known != LongMap.ABSENT ? known : workOutRenamed(renaming, corner);
    }

    private synchronized int workOutRenamed(int renaming, int corner) {
        if (symmetry == null) {
            return corner;
        }
        int other = corner(symmetry.cell(renaming, cellOf(corner)), symmetry.inbox(renaming, inboxOf(corner)));
        long key = (long) renaming << 32 | corner;
        return renamed.get(key) == LongMap.ABSENT ? renamed.put(key, other) : other;
    }

    /** The corner with one letter more. */
    int plus(int corner, int letter) {
        int known = ways.get(way(corner, PLUS, letter));
        return known != LongMap.ABSENT ? known : workOutPlus(corner, letter);
    }

    /** The corner so many ticks later. */
    int later(int corner, int ticks) {
        int known = ways.get(way(corner, LATER, ticks));
        return known != LongMap.ABSENT ? known : workOutLater(corner, ticks);
    }

    /** The corner of a node that stood still for so many ticks. */
    int held(int corner, int ticks) {
        int known = ways.get(way(corner, HELD, ticks));
        return known != LongMap.ABSENT ? known : workOutHeld(corner, ticks);
    }

    /** The corner without the request of this node, which waits no longer, in its past. */
    int forgetting(int corner, int node) {
        int known = ways.get(way(corner, FORGETTING, node));
        return known != LongMap.ABSENT ? known : workOutForgetting(corner, node);
    }

    private static long way(int corner, int kind, int what) {
        return (long) corner << 32 | what << 2 | kind;
    }

    private synchronized int workOutPlus(int corner, int letter) {
        int to = corner(cellOf(corner), inboxes.plus(inboxOf(corner), letter));
        return remember(way(corner, PLUS, letter), to);
    }

    private synchronized int workOutLater(int corner, int ticks) {
        int cell = turns.cell(turns.cell(cellOf(corner)).later(ticks));
        return remember(way(corner, LATER, ticks), corner(cell, inboxOf(corner)));
    }

    private synchronized int workOutHeld(int corner, int ticks) {
        var cell = turns.cell(cellOf(corner));
        int inbox = cell.isBeforeAlarms() ? inboxes.inTime(inboxOf(corner)) : inboxOf(corner);
        return remember(way(corner, HELD, ticks), corner(turns.cell(cell.later(ticks)), inbox));
    }

    private synchronized int workOutForgetting(int corner, int node) {
        var gone = stage.id(node);
        var cell = turns.cell(cellOf(corner));
        int next = turns.cell(cell.after(cell.past().without(gone)));
        return remember(way(corner, FORGETTING, node), corner(next, inboxes.forgetting(inboxOf(corner), gone)));
    }

    /** Somebody else may have been faster. */
    private int remember(long way, int to) {
        return ways.get(way) == LongMap.ABSENT ? ways.put(way, to) : to;
    }

    private synchronized int[] workOutRun(int corner) {
        int cell = cellOf(corner);
        int inbox = inboxOf(corner);
        var run = addTurns(new int[0], turns.at(cell), inbox, inbox);
        if (symmetry != null) {
            symmetry.meet(cell, inboxes.heads(inbox));
        }
        for (int letter : inboxes.heads(inbox)) {
            if (shadows != null) {
                shadows.meet(cell, letter);
            }
            run = addTurns(run, turns.at(cell, letter), inboxes.minus(inbox, letter), inbox);
        }
        if (corner >= runs.length) {
            runs = Arrays.copyOf(runs, Math.max(corner + 1, runs.length / 4 * 5));
        }
        RUNS.setRelease(runs, corner, run);
        inRuns += run.length;
        return run;
    }

    /** @param rest the inbox without what has arrived, unless it will arrive again */
    private int[] addTurns(int[] run, int asking, int rest, int inbox) {
        int begin = turns.begin(asking);
        int end = turns.end(asking);
        var longer = begin == end ? run : Arrays.copyOf(run, run.length + 2 * (end - begin));
        for (int i = 0; i < end - begin; i++) {
            var turn = turns.get(begin + i);
            boolean stays = turn.kind() == Choice.Kind.DOUBLE;
            longer[run.length + 2 * i] = begin + i;
            longer[run.length + 2 * i + 1] = corner(turn.after(), stays ? inbox : rest);
        }
        return longer;
    }

    private int corner(int cell, int inbox) {
        long key = (long) cell << 32 | inbox;
        int known = numbers.get(key);
        if (known != LongMap.ABSENT) {
            return known;
        }
        int early = inboxes.hasEarly(inbox) ? EARLY : 0;
        return numbers.put(key, corners.add(cell << BITS | bits(cell) | early, inbox));
    }

    private int bits(int cell) {
        while (facts.size() <= cell) {
            var what = turns.cell(facts.size());
            boolean beyond = scope.isBeyond(what);
            int latest =
                    what.alarms().stream().mapToInt(Cell.Pending::atMost).min().orElse(Integer.MAX_VALUE);
            int waiting = what.use() == Cell.Use.WAITING ? WAITING : 0;
            int late = what.life() == Cell.Life.LATE ? LATE : 0;
            facts.add((what.up() ? UP : 0) | (beyond ? BEYOND : 0) | waiting | late, latest);
        }
        return facts.get(cell, 0);
    }
}
