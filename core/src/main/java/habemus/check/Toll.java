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
    ALARM;

    int granted(Scope scope) {
        return this == ALARM ? scope.alarms() : scope.often(Hazard.valueOf(name()));
    }
}
