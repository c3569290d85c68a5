package habemus.check;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Finds renamings that can be done one after the other, in any order and number, and are still among those allowed. */
final class Group {

    private Group() {}

    /** As many as are found by adding one allowed renaming after the other; one of them changes nothing. */
    static List<Renaming> among(List<Renaming> allowed) {
        var known = new HashSet<>(allowed);
        Set<Renaming> group = new LinkedHashSet<>(
                allowed.stream().filter(Renaming::changesNothing).toList());
        for (Renaming one : allowed) {
            if (!group.contains(one)) {
                var larger = closed(group, one, known);
                group = larger.isEmpty() ? group : larger;
            }
        }
        return List.copyOf(group);
    }

    /** The smallest group with these and one more; empty if not all of it is allowed. */
    private static Set<Renaming> closed(Set<Renaming> group, Renaming one, Set<Renaming> allowed) {
        var larger = new LinkedHashSet<>(group);
        larger.add(one);
        var fresh = new ArrayDeque<>(List.of(one));
        while (!fresh.isEmpty()) {
            var next = fresh.remove();
            for (Renaming other : List.copyOf(larger)) {
                for (Renaming made : List.of(next.after(other), other.after(next))) {
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
