package habemus.simulate;

import habemus.world.Micros;
import habemus.world.World;

/** What is going to happen whatever the algorithm does: faults and calls. Knows when nothing of it is left. */
final class Plan {

    private final Agenda agenda;
    private int left;

    Plan(Agenda agenda) {
        this.agenda = agenda;
    }

    /** Faults come before calls of the same time. */
    void begin(World world) {
        for (var planned : world.faults()) {
            agenda.add(Micros.of(planned.at()), Cue.of(Cue.FAULT, 0, 0), planned.fault());
        }
        for (var call : world.workload().calls()) {
            agenda.add(Micros.of(call.at()), Cue.of(Cue.CALL, call.node().number(), Cue.FRESH), null);
        }
        left += world.faults().size() + world.workload().calls().size();
    }

    /** @param version of what the application plans */
    void call(long delay, int node, int version) {
        agenda.add(agenda.now() + delay, Cue.of(Cue.CALL, node, version), null);
        left++;
    }

    void takeOff(long what) {
        int kind = Cue.kind(what);
        left -= kind == Cue.FAULT || kind == Cue.CALL ? 1 : 0;
    }

    boolean isEmpty() {
        return left == 0;
    }
}
