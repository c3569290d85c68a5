package habemus.service.raft;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A change of members. */
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
     * Why not.
     *
     * @param present who is there, members or not
     */
    default Optional<String> refusal(List<Member> before, NodeId leader, List<NodeId> present) {
        return Optional.ofNullable(
                switch (this) {
                    case Adding(var member)
                    when before.stream()
                            .anyMatch(known -> known.node().equals(member.node()) && !known.equals(member)) ->
                        member.node() + " is a member already, at another address";
                    case Adding(var member)
                    when !present.contains(member.node()) ->
                        member.node() + " is not there: start it first, joining the others";
                    case Removing(var node)
                    when before.stream().noneMatch(known -> known.node().equals(node)) -> node + " is no member";
                    case Removing(var node)
                    when node.equals(leader) -> node + " leads: stop it first, and remove it when another leads";
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
