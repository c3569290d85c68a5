package habemus.check.model;

import static java.util.Objects.requireNonNull;

import habemus.world.FaultKind;
import org.jspecify.annotations.Nullable;

/** What the scope limits in one run: the kinds of faults, timeouts, and calls to a replicated log. */
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
    TAIL_LOSS(FaultKind.TAIL_LOSS),
    JOIN(FaultKind.JOIN),
    LEAVE(FaultKind.LEAVE),
    TIMEOUT(null),
    PROPOSAL(null),
    READ(null),
    SNAPSHOT(null),
    MEMBER_CHANGE(null),
    TRANSFER(null);

    /** Null for what is no fault. */
    final @Nullable FaultKind kind;

    FaultBudget(@Nullable FaultKind kind) {
        this.kind = kind;
    }

    public int initial(Scope scope) {
        var calls = scope.requests().logCalls();
        return switch (this) {
            case TIMEOUT -> scope.timers().maxTimeouts();
            case PROPOSAL -> calls.proposals();
            case READ -> calls.reads();
            case SNAPSHOT -> calls.snapshots();
            case MEMBER_CHANGE -> calls.memberChanges();
            case TRANSFER -> calls.transfers();
            case PAUSE -> scope.isSynchronous() ? scope.faults().limit(FaultKind.PAUSE) : 0;
            default -> scope.faults().limit(requireNonNull(kind));
        };
    }
}
