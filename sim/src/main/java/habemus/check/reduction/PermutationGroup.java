package habemus.check.reduction;

import habemus.check.model.NodePermutation;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds renamings that can be done one after the other, in any order and number, and are still among those allowed. */
public final class PermutationGroup {

    private PermutationGroup() {}

    /** As many as are found by adding one allowed renaming after the other; one of them changes nothing. */
    public static List<NodePermutation> largestWithin(List<NodePermutation> allowed) {
        var known = new HashSet<>(allowed);
        Set<NodePermutation> group = new LinkedHashSet<>(
                allowed.stream().filter(NodePermutation::isIdentity).toList());
        for (NodePermutation one : allowed) {
            if (!group.contains(one)) {
                var larger = closure(group, one, known);
                group = larger.isEmpty() ? group : larger;
            }
        }
        return List.copyOf(group);
    }

    /** The smallest group with these and one more; empty if not all of it is allowed. */
    private static Set<NodePermutation> closure(
            Set<NodePermutation> group, NodePermutation one, Set<NodePermutation> allowed) {
        var larger = new LinkedHashSet<>(group);
        larger.add(one);
        var fresh = new ArrayDeque<>(List.of(one));
        while (!fresh.isEmpty()) {
            var next = fresh.remove();
            for (NodePermutation other : List.copyOf(larger)) {
                for (NodePermutation made : List.of(next.after(other), other.after(next))) {
                    if (!allowed.contains(made)) {
                        return Set.of();
                    }
                    if (larger.add(made)) {
                        fresh.add(made);
                    }
                }
            }
        }
        return larger;
    }
}
