package habemus.check.reduction;

import habemus.check.model.NodePermutation;
import habemus.check.store.GlobalStateTable;
import habemus.check.store.LocalStateTable;
import java.util.List;

/** Replaces a state by the representative of its orbit: the least of all its permutations, by ids. */
public final class SymmetryCanonicalizer {

    private final LocalStateTable localStates;
    private final GlobalStateTable globalStates;
    private final List<NodePermutation> group;
    private int[] best;
    private int[] image;

    /** @param nodes the number of nodes */
    public SymmetryCanonicalizer(
            LocalStateTable localStates, GlobalStateTable globalStates, List<NodePermutation> group, int nodes) {
        this.localStates = localStates;
        this.globalStates = globalStates;
        this.group = group;
        best = new int[nodes + 1];
        image = new int[nodes + 1];
    }

    /** Replaces the state; returns the index of the permutation that was applied. */
    public int canonicalize(int[] state) {
        int found = 0;
        permute(0, state, best);
        for (int i = 1; i < group.size(); i++) {
            permute(i, state, image);
            if (isSmaller(image, best)) {
                var other = best;
                best = image;
                image = other;
                found = i;
            }
        }
        System.arraycopy(best, 0, state, 0, state.length);
        return found;
    }

    private static boolean isSmaller(int[] left, int[] right) {
        for (int i = 0; i < left.length; i++) {
            if (left[i] != right[i]) {
                return left[i] < right[i];
            }
        }
        return false;
    }

    public NodePermutation permutation(int index) {
        return group.get(index);
    }

    private void permute(int index, int[] state, int[] into) {
        if (index == 0) {
            System.arraycopy(state, 0, into, 0, state.length);
            return;
        }
        var permutation = group.get(index);
        int nodes = state.length - 1;
        for (int node = 0; node < nodes; node++) {
            into[permutation.node(node)] = localStates.permuted(index, state[node]);
        }
        into[nodes] = globalStates.permuted(permutation, index, state[nodes]);
    }

    public int[] permuted(NodePermutation permutation, int[] state) {
        var into = new int[state.length];
        permute(group.indexOf(permutation), state, into);
        return into;
    }
}
