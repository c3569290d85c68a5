package habemus.service.algorithm;

import static java.util.Objects.requireNonNull;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.transport.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The members of the start, and all changes since. The members of the start are view 0, and each change begins the next
 * view.
 */
record ViewHistory(List<MemberAddress> first, List<Change> changes) {

    /** @param address such as {@code 127.0.0.1:7601} */
    record MemberAddress(NodeId node, String address) {

        static MemberAddress of(Member member) {
            return new MemberAddress(member.node(), member.addressText());
        }

        /** @throws IllegalArgumentException if the address is invalid */
        Member toMember() {
            return new Member(node, Member.parseAddress(address, address));
        }
    }

    /** @param joins whether the member joins; else it leaves */
    record Change(MemberAddress member, boolean joins) {
        NodeId node() {
            return member.node;
        }
    }

    ViewHistory {
        first = List.copyOf(first);
        changes = List.copyOf(changes);
    }

    static ViewHistory of(List<Member> members) {
        return new ViewHistory(members.stream().map(MemberAddress::of).toList(), List.of());
    }

    /** The number of the latest view. */
    int view() {
        return changes.size();
    }

    /** The change that began this view. */
    Change change(int view) {
        return changes.get(view - 1);
    }

    Optional<Change> lastChange() {
        return changes.isEmpty() ? Optional.empty() : Optional.of(changes.getLast());
    }

    ViewHistory with(Change next) {
        return new ViewHistory(
                first, Stream.concat(changes.stream(), Stream.of(next)).toList());
    }

    /** The node that runs the membership service: the first one of the start. */
    NodeId coordinator() {
        return first.getFirst().node;
    }

    /** The members of a view. */
    NodeSet nodes(int view) {
        var nodes = NodeSet.of(first.stream().map(MemberAddress::node).toList());
        for (var change : changes.subList(0, view)) {
            nodes = change.joins ? nodes.with(change.node()) : nodes.without(change.node());
        }
        return nodes;
    }

    NodeSet nodes() {
        return nodes(view());
    }

    boolean contains(NodeId node) {
        return nodes().contains(node);
    }

    boolean isFirst(NodeId node) {
        return nodes(0).contains(node);
    }

    boolean hasLeft(NodeId node) {
        return changes.stream()
                .anyMatch(change -> !change.joins && change.node().equals(node));
    }

    /** The members of the latest view, by number. */
    List<Member> members() {
        var addresses = new TreeMap<NodeId, MemberAddress>();
        first.forEach(member -> addresses.put(member.node, member));
        changes.forEach(change -> addresses.put(change.node(), change.member));
        var members = new ArrayList<Member>();
        nodes().forEach(node -> members.add(requireNonNull(addresses.get(node)).toMember()));
        return members;
    }
}
