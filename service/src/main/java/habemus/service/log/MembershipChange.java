package habemus.service.log;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Adds or removes one voting member. */
sealed interface MembershipChange {

    record Adding(Member member) implements MembershipChange {}

    record Removing(NodeId node) implements MembershipChange {}

    static MembershipChange adding(Member member) {
        return new Adding(member);
    }

    static MembershipChange removing(NodeId node) {
        return new Removing(node);
    }

    /**
     * The reason to reject the change, if there is one.
     *
     * @param present the connected nodes, members or not
     */
    default Optional<String> refusal(List<Member> before, NodeId leader, List<NodeId> present) {
        return Optional.ofNullable(
                switch (this) {
                    case Adding(var member)
                    when before.stream()
                            .anyMatch(known -> known.node().equals(member.node()) && !known.equals(member)) ->
                        "node is already a member at another address: " + member.node();
                    case Adding(var member)
                    when !present.contains(member.node()) ->
                        "node is not connected: " + member.node() + " (start it with --join first)";
                    case Removing(var node)
                    when before.stream().noneMatch(known -> known.node().equals(node)) ->
                        "node is not a member: " + node;
                    case Removing(var node)
                    when node.equals(leader) -> "cannot remove the leader: " + node + " (stop it first)";
                    case Adding(var member) -> null;
                    case Removing(var node) -> null;
                });
    }

    default List<Member> of(List<Member> before) {
        return switch (this) {
            case Adding(var member) ->
                Stream.concat(before.stream(), Stream.of(member)).distinct().toList();
            case Removing(var node) ->
                before.stream().filter(member -> !member.node().equals(node)).toList();
        };
    }
}
