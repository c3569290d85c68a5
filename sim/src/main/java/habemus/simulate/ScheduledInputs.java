package habemus.simulate;

import habemus.world.Micros;
import habemus.world.World;

/** What is going to happen whatever the algorithm does: faults and calls. Knows when nothing of it is left. */
final class ScheduledInputs {

    private final TimingWheel timingWheel;
    private int remaining;

    ScheduledInputs(TimingWheel timingWheel) {
        this.timingWheel = timingWheel;
    }

    /** Faults come before calls of the same time. */
    void scheduleAll(World world) {
        for (var plannedFault : world.faults()) {
            timingWheel.schedule(
                    Micros.of(plannedFault.at()), PackedEvent.of(PackedEvent.FAULT, 0, 0), plannedFault.fault());
        }
        for (var request : world.workload().requests()) {
            timingWheel.schedule(
                    Micros.of(request.at()),
                    PackedEvent.of(PackedEvent.REQUEST, request.node().number(), PackedEvent.FROM_WORKLOAD),
                    null);
        }
        remaining += world.faults().size() + world.workload().requests().size();
    }

    /** @param version of what the application plans */
    void scheduleRequest(long delay, int node, int version) {
        timingWheel.schedule(timingWheel.now() + delay, PackedEvent.of(PackedEvent.REQUEST, node, version), null);
        remaining++;
    }

    void onEventTaken(long what) {
        int kind = PackedEvent.kind(what);
        remaining -= kind == PackedEvent.FAULT || kind == PackedEvent.REQUEST ? 1 : 0;
    }

    boolean isEmpty() {
        return remaining == 0;
    }
}
