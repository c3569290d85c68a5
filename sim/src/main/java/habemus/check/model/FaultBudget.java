package habemus.check.model;

import habemus.world.FaultKind;
import org.jspecify.annotations.Nullable;

/** What the scope limits in one run: the kinds of faults, and timeouts. */
public enum FaultBudget {
    LOSS(FaultKind.LOSS),
    DUPLICATION(FaultKind.DUPLICATION),
    CRASH(FaultKind.CRASH),
    RESTART(FaultKind.RESTART),
    AMNESIA(FaultKind.AMNESIA),
    WRONG_SUSPICION(FaultKind.MISTAKE),
    PARTITION(FaultKind.PARTITION),
    /** If timers fire at any time, a paused node is only slow, so pauses add no runs. */
    PAUSE(FaultKind.PAUSE),
    TIMEOUT(null);

    /** Null for timeouts, which are no faults. */
    final @Nullable FaultKind kind;

    FaultBudget(@Nullable FaultKind kind) {
        this.kind = kind;
    }

    public int initial(Scope scope) {
        if (kind == null) {
            return scope.timers().maxTimeouts();
        }
        return this == PAUSE && !scope.isSynchronous() ? 0 : scope.faults().limit(kind);
    }
}
