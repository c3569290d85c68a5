package habemus.check.reduction;

import habemus.check.model.NodePermutation;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.LocalStateTable;
import java.util.Arrays;
import java.util.List;

/** Of all states that differ only in who is who, finds the one that is met: the first by number. */
public final class SymmetryCanonicalizer {

    private final LocalStateTable localStateTable;
    private final GlobalStateTable globalStateTable;
    private final List<NodePermutation> group;
    private int[] best;
    private int[] image;

    /** @param nodes how many there are */
    public SymmetryCanonicalizer(
            LocalStateTable localStateTable,
            GlobalStateTable globalStateTable,
            List<NodePermutation> group,
            int nodes) {
        this.localStateTable = localStateTable;
        this.globalStateTable = globalStateTable;
        this.group = group;
        best = new int[nodes + 1];
        image = new int[nodes + 1];
    }

    /** Changes the state; tells the place of the renaming that did it. */
    public int canonicalize(int[] state) {
        int found = 0;
        permute(0, state, best);
        for (int i = 1; i < group.size(); i++) {
            permute(i, state, image);
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

    public NodePermutation permutation(int place) {
        return group.get(place);
    }

    private void permute(int place, int[] state, int[] into) {
        if (place == 0) {
            System.arraycopy(state, 0, into, 0, state.length);
            return;
        }
        var nodePermutation = group.get(place);
        int nodes = state.length - 1;
        for (int node = 0; node < nodes; node++) {
            into[nodePermutation.node(node)] = localStateTable.permuted(place, state[node]);
        }
        into[nodes] = globalStateTable.permuted(nodePermutation, place, state[nodes]);
    }

    /** The state under other names. */
    public int[] permuted(NodePermutation nodePermutation, int[] state) {
        var into = new int[state.length];
        permute(group.indexOf(nodePermutation), state, into);
        return into;
    }
}
