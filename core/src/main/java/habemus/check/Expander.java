package habemus.check;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tells the states that come after a state. A state is a corner for each node, and the number of what belongs to no
 * node; so a step is a handful of numbers looked up.
 */
final class Expander {

    /** Whom to tell. */
    interface Sink {

        /** @param state valid during this call only */
        void next(int node, Turn turn, int[] state);

        /** The algorithm did the impossible. */
        void failed(int node, Turn turn);
    }

    private final Corners corners;
    private final Globals globals;
    private final @Nullable Settling settling;
    private final @Nullable Mirrors mirrors;
    private final boolean synchronous;
    private final boolean parting;
    private final boolean pausing;
    private final int nodes;
    private final int[] next;
    private boolean spent; // whether something that must happen could not be paid for

    /** Tells every state as it is. */
    Expander(Scope scope, Corners corners, Globals globals) {
        this(scope, corners, globals, null, null);
    }

    /**
     * @param settling what becomes of each state before it is told; null if nothing does
     * @param mirrors which of several states is told in its place; null if itself
     */
    Expander(Scope scope, Corners corners, Globals globals, @Nullable Settling settling, @Nullable Mirrors mirrors) {
        this.settling = settling;
        this.mirrors = mirrors;
        this.corners = corners;
        this.globals = globals;
        synchronous = scope.isSynchronous();
        parting = Toll.PARTITION.granted(scope) > 0;
        pausing = Toll.PAUSE.granted(scope) > 0;
        nodes = scope.topology().size();
        next = new int[nodes + 1];
    }

    /** How many numbers a state has. */
    int width() {
        return nodes + 1;
    }

    /** What kind of state it is. */
    enum State {
        /** The bound of the scope ends the search here. */
        BEYOND,
        /** Nothing must happen any more. */
        AT_REST,
        /** Something must happen, but may not any more: whatever the scope allows was used up. */
        SPENT,
        GOING_ON
    }

    /** Tells the sink what comes after a state, if it is not beyond the bound. */
    State expand(int[] from, Sink sink) {
        for (int node = 0; node < nodes; node++) {
            if (corners.isBeyond(from[node])) {
                return State.BEYOND;
            }
        }
        boolean quiet = isQuiet(from);
        boolean rest = true;
        spent = false;
        for (int node = 0; node < nodes; node++) {
            rest &= expand(from, node, quiet, sink);
        }
        return !rest ? State.GOING_ON : spent ? State.SPENT : State.AT_REST;
    }

    /** Whether nothing has to wait for messages: none is under way but to nodes that stand still. */
    private boolean isQuiet(int[] state) {
        for (int node = 0; synchronous && node < nodes; node++) {
            if (!corners.isQuiet(state[node]) && !isPaused(state, node)) {
                return false;
            }
        }
        return true;
    }

    /** What must not be put off for ever in a state, whether or not it can be paid for. */
    List<Move> obliged(int[] from) {
        boolean quiet = isQuiet(from);
        var moves = new ArrayList<Move>();
        for (int node = 0; node < nodes; node++) {
            int[] run = corners.run(from[node]);
            for (int i = 0; i < run.length; i += 2) {
                var turn = corners.turn(run[i]);
                if (turn.kind().must && isOffered(from, node, turn, quiet) && isTime(from, turn, quiet)) {
                    moves.add(new Move(node, turn));
                }
            }
        }
        return moves;
    }

    private boolean isTime(int[] from, Turn turn, boolean quiet) {
        return !synchronous
                || turn.kind() != Choice.Kind.RING
                || corners.cell(turn.before()).due(turn.choice()).atLeast() <= latest(from, quiet);
    }

    private boolean isOffered(int[] from, int node, Turn turn, boolean quiet) {
        var kind = turn.kind();
        if (turn.peer() >= 0 && corners.isUp(from[turn.peer()]) == (kind == Choice.Kind.SUSPECT)) {
            return false; // who is up is not suspected but by mistake, and who is down is not restored
        }
        return (quiet || !kind.waitsForQuiet() || isLate(from[node], kind))
                && (!parting || isPossible(from[nodes], node, turn))
                && (!pausing || isAwake(from, node, kind));
    }

    /** What may happen at one node; tells whether nothing of it must. */
    private boolean expand(int[] from, int node, boolean quiet, Sink sink) {
        int[] run = corners.run(from[node]);
        boolean rest = true;
        for (int i = 0; i < run.length; i += 2) {
            var turn = corners.turn(run[i]);
            var kind = turn.kind();
            if (!isOffered(from, node, turn, quiet)) {
                continue;
            }
            if (kind.must) {
                boolean affordable = globals.after(from[nodes], turn.account()) != Globals.TOO_DEAR;
                rest &= !affordable;
                spent |= !affordable;
            }
            if (synchronous && kind == Choice.Kind.RING) {
                ring(from, node, turn, quiet, sink);
            } else {
                go(from, node, turn, run[i + 1], sink);
            }
        }
        return rest;
    }

    /** Whether messages arrive, and links are mended, depends on what is cut now. */
    private boolean isPossible(int global, int node, Turn turn) {
        return turn.sender() >= 0
                ? globals.isCut(global, turn.sender(), node) == (turn.kind() == Choice.Kind.CUT_OFF)
                : turn.kind() != Choice.Kind.MEND || globals.after(global, turn.account()) != Globals.TOO_DEAR;
    }

    /** Who stands still does nothing, and only who stands still is resumed. */
    private boolean isAwake(int[] from, int node, Choice.Kind kind) {
        return isPaused(from, node) ? kind.isOfOthers() : kind != Choice.Kind.RESUME;
    }

    /** Whether it may happen at a node that has just resumed, before what else has piled up there. */
    private boolean isLate(int corner, Choice.Kind kind) {
        return corners.isLate(corner) && !(kind == Choice.Kind.RING && corners.isHurried(corner));
    }

    private boolean isPaused(int[] state, int node) {
        return pausing && globals.isPaused(state[nodes], node);
    }

    /** Time passes until the alarm is due, if no other must ring before. */
    private void ring(int[] from, int node, Turn turn, boolean quiet, Sink sink) {
        int latest = latest(from, quiet);
        var due = corners.cell(turn.before()).due(turn.choice());
        for (int ticks = due.atLeast(); ticks <= Math.min(due.atMost(), latest); ticks++) {
            var aged = from.clone();
            for (int other = 0; other < nodes; other++) {
                aged[other] = isPaused(from, other) && ticks > 0
                        ? corners.held(from[other], ticks)
                        : corners.later(from[other], ticks);
            }
            int[] run = corners.run(aged[node]);
            for (int i = 0; i < run.length; i += 2) {
                var same = corners.turn(run[i]);
                if (same.choice().equals(turn.choice()) && same.way().equals(turn.way())) {
                    go(aged, node, same, run[i + 1], sink);
                }
            }
        }
    }

    /** In how many ticks one of all alarms must ring; no time passes while messages are under way. */
    private int latest(int[] state, boolean quiet) {
        int latest = quiet ? Integer.MAX_VALUE : 0;
        for (int node = 0; node < nodes; node++) {
            latest = isPaused(state, node) ? latest : Math.min(latest, corners.latest(state[node]));
        }
        return latest;
    }

    private void go(int[] from, int node, Turn turn, int corner, Sink sink) {
        int global = globals.after(from[nodes], turn.account());
        if (global == Globals.TOO_DEAR) {
            return;
        }
        if (turn.failure() != null) {
            sink.failed(node, turn);
            return;
        }
        System.arraycopy(from, 0, next, 0, nodes);
        next[nodes] = global;
        next[node] = corner;
        corners.deliver(next, turn.post());
        if (turn.forgets()) {
            for (int other = 0; other < nodes; other++) {
                next[other] = corners.forgetting(next[other], node);
            }
        }
        reduce(next);
        sink.next(node, turn, next);
    }

    /** Makes a state the one that is met in its place. */
    void reduce(int[] state) {
        if (settling != null) {
            settling.settle(state);
        }
        if (mirrors != null) {
            mirrors.turn(state);
        }
    }

    /** Every state in which a run can begin, and how: one, unless dice are rolled at the start. */
    List<Beginning> begin() {
        var beginnings = List.of(new Beginning(List.of(), new int[nodes + 1]));
        for (int node = 0; node < nodes; node++) {
            var longer = new ArrayList<Beginning>();
            for (Beginning beginning : beginnings) {
                for (Turn start : corners.starts(node)) {
                    longer.add(beginning.plus(start, corners.first(start), globals));
                }
            }
            beginnings = longer;
        }
        for (Beginning beginning : beginnings) {
            beginning.starts().forEach(start -> corners.deliver(beginning.state, start.post()));
        }
        return beginnings;
    }

    /** A state in which everybody has just come up, one after the other. */
    static final class Beginning {

        private final List<Turn> starts;
        private final int[] state;

        private Beginning(List<Turn> starts, int[] state) {
            this.starts = starts;
            this.state = state;
        }

        private Beginning plus(Turn start, int corner, Globals globals) {
            var next = state.clone();
            next[starts.size()] = corner;
            next[state.length - 1] = globals.after(state[state.length - 1], start.account());
            return new Beginning(
                    Stream.concat(starts.stream(), Stream.of(start)).toList(), next);
        }

        List<Turn> starts() {
            return starts;
        }

        int[] state() {
            return state.clone();
        }
    }
}
