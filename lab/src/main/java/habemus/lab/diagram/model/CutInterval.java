package habemus.lab.diagram.model;

import habemus.world.Fault;
import habemus.world.TraceEvent;
import java.util.ArrayList;
import java.util.List;

/**
 * A cut of the network while it lasts.
 *
 * @param from the index of the line of the cut
 * @param to the index of the line that mended it; the number of lines if none did
 */
public record CutInterval(Fault.Cut cut, int from, int to) {

    static List<CutInterval> of(List<TraceEvent> lines) {
        var cutIntervals = new ArrayList<CutInterval>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i) instanceof TraceEvent.FaultInjected(var at, Fault.Cut cut)) {
                cutIntervals.add(new CutInterval(cut, i, healIndex(cut, lines, i)));
            }
        }
        return List.copyOf(cutIntervals);
    }

    private static int healIndex(Fault.Cut cut, List<TraceEvent> lines, int since) {
        int i = since + 1;
        while (i < lines.size()
                && !(lines.get(i) instanceof TraceEvent.FaultInjected(var at, var fault) && heals(fault, cut))) {
            i++;
        }
        return i;
    }

    private static boolean heals(Fault fault, Fault.Cut cut) {
        return fault instanceof Fault.Heal || fault instanceof Fault.HealCut(var other) && other.equals(cut);
    }
}
