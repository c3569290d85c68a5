package habemus.check;

import habemus.world.Hazard;

/** What may happen only so often in one run. */
enum Toll {
    LOSS,
    DUPLICATION,
    CRASH,
    RESTART,
    AMNESIA,
    MISTAKE,
    PARTITION,
    /** Where alarms ring at any time, who stands still is only slow: that is nothing new. */
    PAUSE,
    ALARM;

    int granted(Scope scope) {
        return switch (this) {
            case ALARM -> scope.alarms();
            case PAUSE -> scope.isSynchronous() ? scope.often(Hazard.PAUSE) : 0;
            default -> scope.often(Hazard.valueOf(name()));
        };
    }
}
