package habemus.check.model;

import habemus.protocol.NodeId;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a search takes for granted until it learns better.
 *
 * @param eagerDelivery whether letters may hurry, but for those in doubt
 * @param group the renamings that nobody is thought to notice; the first changes nothing
 * @param refuted what is learned
 */
public record ReductionAssumptions(boolean eagerDelivery, List<NodePermutation> group, RefutedAssumptions refuted) {

    /** Nothing but what is so. */
    public static ReductionAssumptions none(List<NodeId> nodes) {
        return new ReductionAssumptions(false, List.of(NodePermutation.identity(nodes)), new RefutedAssumptions());
    }

    /** Whether nobody has noticed any of the renamings yet. */
    public boolean isSymmetryUnrefuted() {
        return group.stream().allMatch(refuted::allows);
    }

    /** For the report. */
    public List<String> reductions() {
        return Stream.of(eagerDelivery ? "order" : "", hasSymmetry() ? "symmetry" : "")
                .filter(name -> !name.isEmpty())
                .toList();
    }

    /** Whether one renaming at least changes something. */
    public boolean hasSymmetry() {
        return group.size() > 1;
    }
}
