package habemus.lab.picture;

import habemus.world.Fault;
import habemus.world.TraceLine;
import java.util.ArrayList;
import java.util.List;

/**
 * A cut of the network while it lasts.
 *
 * @param from the index of the line of the cut
 * @param to the index of the line that mended it; the number of lines if none did
 */
record Band(Fault.Cut cut, int from, int to) {

    static List<Band> in(List<TraceLine> lines) {
        var bands = new ArrayList<Band>();
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i) instanceof TraceLine.Struck(var at, Fault.Cut cut)) {
                bands.add(new Band(cut, i, mended(cut, lines, i)));
            }
        }
        return List.copyOf(bands);
    }

    private static int mended(Fault.Cut cut, List<TraceLine> lines, int since) {
        int i = since + 1;
        while (i < lines.size()
                && !(lines.get(i) instanceof TraceLine.Struck(var at, var fault) && mends(fault, cut))) {
            i++;
        }
        return i;
    }

    private static boolean mends(Fault fault, Fault.Cut cut) {
        return fault instanceof Fault.Heal || fault instanceof Fault.Mend(var other) && other.equals(cut);
    }
}
