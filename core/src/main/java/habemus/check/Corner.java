package habemus.check;

import org.jspecify.annotations.Nullable;

/** All there is at one node: its cell and its inbox. A state of the world is a corner for each node. */
final class Corner {

    private static final Turn[] NONE = {};

    final int cell;
    final int inbox;
    /** Whether no letter is under way to here. */
    final boolean quiet;

    final boolean up;
    /** Whether its application waits to get in. */
    final boolean waiting;
    /** Whether the bound of the scope ends the search here. */
    final boolean beyond;
    /** In how many ticks the first alarm rings at the latest. */
    final int latest;

    private int[] corners = {};
    private volatile Turn @Nullable [] turns; // written last: who sees them sees the corners too

    Corner(int cell, int inbox, boolean quiet, Facts facts) {
        this.cell = cell;
        this.inbox = inbox;
        this.quiet = quiet;
        up = facts.up;
        waiting = facts.waiting;
        beyond = facts.beyond;
        latest = facts.latest;
    }

    /** What every corner with the same cell has in common. */
    record Facts(boolean up, boolean waiting, boolean beyond, int latest) {}

    boolean isWorkedOut() {
        return turns != null;
    }

    /** What may happen here; nothing before it is worked out. */
    Turn[] turns() {
        var now = turns;
        return now == null ? NONE : now;
    }

    /** The corner after the turn at this place. */
    int after(int i) {
        return corners[i];
    }

    void workedOut(Turn[] made, int[] after) {
        corners = after;
        turns = made;
    }
}
