package habemus.check.model;

import habemus.world.FaultKind;

/** What may happen only so often in one run. */
public enum FaultBudget {
    LOSS,
    DUPLICATION,
    CRASH,
    RESTART,
    AMNESIA,
    MISTAKE,
    PARTITION,
    /** Where alarms ring at any time, who stands still is only slow: that is nothing new. */
    PAUSE,
    TIMEOUT;

    public int initial(Scope scope) {
        return switch (this) {
            case TIMEOUT -> scope.maxTimeouts();
            case PAUSE -> scope.isSynchronous() ? scope.faultLimit(FaultKind.PAUSE) : 0;
            default -> scope.faultLimit(FaultKind.valueOf(name()));
        };
    }
}
