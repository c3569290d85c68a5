package habemus.mutex;

import habemus.protocol.Stamp;
import java.util.List;

/**
 * The broken twin of {@link RicartAgrawala}: who goes first is settled by fixed priorities, not by stamps.
 *
 * <p>It looks simpler, and lets two in: n2 asks, everybody answers, n2 is about to be let in by the last answer. Now
 * n3 asks. n2 still waits, sees the higher priority, and answers although n3 will not wait for it: both enter. A
 * stamp cannot be undercut later; a priority can.
 *
 * <p>Costs, survives and assumes what its twin does, but for the one promise that matters.
 */
public final class RicartAgrawalaByPriority extends RicartAgrawala {

    public RicartAgrawalaByPriority() {
        super(false, List.of());
    }

    @Override
    protected boolean goesFirst(Stamp mine, Stamp theirs) {
        return mine.node().isAbove(theirs.node());
    }
}
