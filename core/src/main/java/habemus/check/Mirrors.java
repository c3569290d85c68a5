package habemus.check;

import java.util.Arrays;
import java.util.List;

/** Of all states that differ only in who is who, finds the one that is met: the first by number. */
final class Mirrors {

    private final Corners corners;
    private final Globals globals;
    private final List<Renaming> group;
    private int[] best;
    private int[] image;

    /** @param nodes how many there are */
    Mirrors(Corners corners, Globals globals, List<Renaming> group, int nodes) {
        this.corners = corners;
        this.globals = globals;
        this.group = group;
        best = new int[nodes + 1];
        image = new int[nodes + 1];
    }

    /** Changes the state; tells the place of the renaming that did it. */
    int turn(int[] state) {
        int found = 0;
        rename(0, state, best);
        for (int i = 1; i < group.size(); i++) {
            rename(i, state, image);
            if (Arrays.compare(image, best) < 0) {
                var other = best;
                best = image;
                image = other;
                found = i;
            }
        }
        System.arraycopy(best, 0, state, 0, state.length);
        return found;
    }

    Renaming renaming(int place) {
        return group.get(place);
    }

    private void rename(int place, int[] state, int[] into) {
        if (place == 0) {
            System.arraycopy(state, 0, into, 0, state.length);
            return;
        }
        var renaming = group.get(place);
        int nodes = state.length - 1;
        for (int node = 0; node < nodes; node++) {
            into[renaming.node(node)] = corners.renamed(place, state[node]);
        }
        into[nodes] = globals.renamed(renaming, place, state[nodes]);
    }

    /** The state under other names. */
    int[] renamed(Renaming renaming, int[] state) {
        var into = new int[state.length];
        rename(group.indexOf(renaming), state, into);
        return into;
    }
}
