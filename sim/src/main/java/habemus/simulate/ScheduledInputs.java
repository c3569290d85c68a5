package habemus.simulate;

import habemus.world.Micros;
import habemus.world.Workload;
import habemus.world.World;

/** Schedules faults and application requests, and counts those that are still to come. */
final class ScheduledInputs {

    private final TimingWheel timingWheel;
    private int remaining;

    ScheduledInputs(TimingWheel timingWheel) {
        this.timingWheel = timingWheel;
    }

    /** Schedules all faults and first requests of the world. Faults come before requests of the same time. */
    void scheduleAll(World world) {
        for (var planned : world.faults()) {
            timingWheel.schedule(Micros.of(planned.at()), PackedEvent.of(PackedEvent.FAULT, 0, 0), planned.fault());
        }
        remaining += world.faults().size();
        world.workload().requests().forEach(request -> schedule(request, PackedEvent.FROM_WORKLOAD));
        world.workload().furtherRequests().forEach(request -> schedule(request, PackedEvent.FURTHER_REQUEST));
    }

    private void schedule(Workload.Request request, int origin) {
        int node = request.node().number();
        timingWheel.schedule(Micros.of(request.at()), PackedEvent.of(PackedEvent.REQUEST, node, origin), null);
        remaining++;
    }

    /** @param version the current version of the application in {@link WorkloadDriver} */
    void scheduleRequest(long delay, int node, int version) {
        timingWheel.schedule(timingWheel.now() + delay, PackedEvent.of(PackedEvent.REQUEST, node, version), null);
        remaining++;
    }

    void onEventTaken(long event) {
        int kind = PackedEvent.kind(event);
        remaining -= kind == PackedEvent.FAULT || kind == PackedEvent.REQUEST ? 1 : 0;
    }

    boolean isEmpty() {
        return remaining == 0;
    }
}
