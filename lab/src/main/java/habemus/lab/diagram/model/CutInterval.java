package habemus.lab.diagram.model;

import habemus.world.Fault;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * A network cut, and the trace events between which it lasted.
 *
 * @param from the index of the event that cut the links
 * @param to the index of the event that healed them; the number of events if none did
 */
public record CutInterval(Fault.Cut cut, int from, int to) {

    static List<CutInterval> of(List<TraceEvent> events) {
        var cutIntervals = new ArrayList<CutInterval>();
        for (int i = 0; i < events.size(); i++) {
            if (events.get(i) instanceof TraceEvent.FaultInjected(var at, Fault.Cut cut)) {
                cutIntervals.add(new CutInterval(cut, i, healIndex(cut, events, i)));
            }
        }
        return List.copyOf(cutIntervals);
    }

    private static int healIndex(Fault.Cut cut, List<TraceEvent> events, int since) {
        int i = since + 1;
        while (i < events.size()
                && !(events.get(i) instanceof TraceEvent.FaultInjected(var at, var fault) && heals(fault, cut))) {
            i++;
        }
        return i;
    }

    private static boolean heals(Fault fault, Fault.Cut cut) {
        return fault instanceof Fault.Heal || fault instanceof Fault.HealCut(var other) && other.equals(cut);
    }
}
