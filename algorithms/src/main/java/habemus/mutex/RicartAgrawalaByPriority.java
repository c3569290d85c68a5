package habemus.mutex;

import habemus.protocol.Stamp;
import java.util.List;

/**
 * The broken twin of {@link RicartAgrawala}: fixed priorities instead of timestamps decide which request goes first.
 *
 * <p>It violates mutual exclusion. n2 sends its request, all peers reply, and the last reply is in flight. Now n3 sends
 * its request. n2 still waits, sees the higher priority, and replies; but n3 has already replied to n2. Both enter. A
 * later request never has an older timestamp, but it may have a higher priority.
 *
 * <p>Costs, survives and assumes what its twin does, except for mutual exclusion.
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
