package habemus.check.reduction;

import habemus.check.model.NodePermutation;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds a group of permutations: a set that holds the composition of any two of its members. */
public final class PermutationGroup {

    private PermutationGroup() {}

    /** Adds one allowed permutation after the other, as long as all generated ones are allowed. Holds the identity. */
    public static List<NodePermutation> largestWithin(List<NodePermutation> allowed) {
        var permitted = new HashSet<>(allowed);
        Set<NodePermutation> group = new LinkedHashSet<>(
                allowed.stream().filter(NodePermutation::isIdentity).toList());
        for (NodePermutation added : allowed) {
            if (!group.contains(added)) {
                var larger = closure(group, added, permitted);
                group = larger.isEmpty() ? group : larger;
            }
        }
        return List.copyOf(group);
    }

    /** The smallest group with one more permutation; empty if some of it is not allowed. */
    private static Set<NodePermutation> closure(
            Set<NodePermutation> group, NodePermutation added, Set<NodePermutation> allowed) {
        var larger = new LinkedHashSet<>(group);
        larger.add(added);
        var fresh = new ArrayDeque<>(List.of(added));
        while (!fresh.isEmpty()) {
            var next = fresh.remove();
            for (NodePermutation other : List.copyOf(larger)) {
                for (NodePermutation composed : List.of(next.after(other), other.after(next))) {
                    if (!allowed.contains(composed)) {
                        return Set.of();
                    }
                    if (larger.add(composed)) {
                        fresh.add(composed);
                    }
                }
            }
        }
        return larger;
    }
}
