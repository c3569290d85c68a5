package habemus.service.raft;

import habemus.protocol.Configuration;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.transport.Member;
import java.util.ArrayList;
import java.util.List;

/**
 * The nodes that a node of the log knows: the members of the newest configuration, their addresses, nodes that want to
 * join, and which of all these are connected. Used by the thread of the log only, except for {@link #members}.
 */
final class MemberDirectory {

    private final NodeId self;
    private final List<Member> listed;
    private AddressBook addresses;
    private AddressBook publishedAddresses = new AddressBook(List.of()); // when the members were last worked out
    private AddressBook visitors = new AddressBook(List.of());
    private Configuration configuration = new Configuration(NodeSet.NONE, NodeSet.NONE);
    private NodeSet present = NodeSet.NONE;
    private volatile List<Member> members;

    /** @param listed the members that the node was started with */
    MemberDirectory(NodeId self, List<Member> listed) {
        this.self = self;
        this.listed = listed;
        addresses = AddressBook.of(listed);
        members = listed;
    }

    /** Takes over a configuration. Returns whether the members or their addresses have changed. */
    boolean update(Configuration newest) {
        if (newest.equals(configuration) && addresses.equals(publishedAddresses)) {
            return false;
        }
        configuration = newest;
        publishedAddresses = addresses;
        members = newest.voters().isEmpty() ? listed : addresses.of(newest.voters());
        return true;
    }

    Configuration configuration() {
        return configuration;
    }

    /**
     * The voters. A new member that has not received the log yet has the list that it was started with. May be called
     * by any thread.
     */
    List<Member> members() {
        return members;
    }

    AddressBook addresses() {
        return addresses;
    }

    void setAddresses(AddressBook book) {
        addresses = book;
    }

    void addVisitor(Member visitor) {
        visitors = visitors.with(AddressBook.Address.of(visitor, AddressBook.UNKNOWN_FOLDER));
    }

    void setPresent(NodeSet nodes) {
        present = nodes;
    }

    /** The connected nodes, without this one. */
    NodeSet present() {
        return present;
    }

    boolean isPresent(NodeId node) {
        return present.contains(node);
    }

    /** The nodes to connect to: the log may be older than the list, or newer. */
    List<Member> peers() {
        var known = new ArrayList<>(addresses.of(configuration.members()));
        addMissing(known, listed);
        addMissing(
                known,
                visitors.members().stream().map(AddressBook.Address::member).toList());
        known.removeIf(member -> member.node().equals(self));
        return List.copyOf(known);
    }

    private static void addMissing(List<Member> known, List<Member> others) {
        others.stream()
                .filter(member -> known.stream().noneMatch(there -> there.node().equals(member.node())))
                .forEach(known::add);
    }
}
