package habemus.service.algorithm;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmSpec;
import habemus.catalogue.Catalogue;
import habemus.protocol.MembershipAware;
import habemus.protocol.NodeId;
import java.util.List;
import java.util.Optional;

/** Why the members do not change, and what to do. */
public record Refusal(String message, String hint) {

    /**
     * Whether the algorithms refuse that the node joins or leaves.
     *
     * @param specs of the locks and of the elections
     * @param nodes number of members at the start
     */
    public static Optional<Refusal> of(List<AlgorithmSpec> specs, int nodes, NodeId node, boolean joins) {
        return specs.stream()
                .flatMap(spec -> of(spec, nodes, node, joins).stream())
                .findFirst();
    }

    private static Optional<Refusal> of(AlgorithmSpec spec, int nodes, NodeId node, boolean joins) {
        var name = spec.algorithm().name();
        if (!(spec.protocol(nodes) instanceof MembershipAware<?, ?> aware)) {
            var able = Catalogue.ALL.stream()
                    .filter(other -> other.problem() == spec.algorithm().problem() && other.changesMembers())
                    .map(Algorithm::name)
                    .toList();
            return Optional.of(new Refusal(
                    name + " cannot change its members (they are fixed at the start)",
                    "these can: " + String.join(", ", able)));
        }
        if (joins && !aware.mayJoin(node)) {
            return Optional.of(new Refusal(
                    node + " cannot join " + name + " with these options", "start the nodes without these options"));
        }
        return joins || aware.mayLeave(node)
                ? Optional.empty()
                : Optional.of(
                        new Refusal(node + " cannot leave " + name + " with these options", "let another node leave"));
    }
}
