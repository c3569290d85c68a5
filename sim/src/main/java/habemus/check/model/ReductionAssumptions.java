package habemus.check.model;

import habemus.protocol.NodeId;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a search assumes until it refutes it.
 *
 * @param eagerDelivery whether messages may be delivered eagerly, unless that is refuted
 * @param group the permutations of the node ids that are assumed to be symmetries; the first is the identity
 * @param refuted collects what the search refutes
 */
public record ReductionAssumptions(boolean eagerDelivery, List<NodePermutation> group, RefutedAssumptions refuted) {

    /** No reduction. */
    public static ReductionAssumptions none(List<NodeId> nodes) {
        return new ReductionAssumptions(false, List.of(NodePermutation.identity(nodes)), new RefutedAssumptions());
    }

    /** Whether no permutation of the group is refuted. */
    public boolean isSymmetryUnrefuted() {
        return group.stream().allMatch(refuted::allows);
    }

    /** The names of the reductions, for the report. */
    public List<String> reductions() {
        return Stream.of(eagerDelivery ? "order" : "", hasSymmetry() ? "symmetry" : "")
                .filter(name -> !name.isEmpty())
                .toList();
    }

    public boolean hasSymmetry() {
        return group.size() > 1;
    }
}
