package habemus.service.raft;

import habemus.codec.Codec;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.transport.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The addresses of the members. It is part of the replicated state: an entry adds an address before its node becomes a
 * member.
 *
 * @param members by number of the node
 */
record AddressBook(List<Address> members) {

    private static final Codec<AddressBook> CODEC = Codec.of(AddressBook.class);

    /** @param text as {@code host:port} */
    record Address(NodeId node, String text) {
        Member member() {
            return new Member(node, Member.parseAddress(text, text));
        }
    }

    static AddressBook of(List<Member> members) {
        var book = new AddressBook(List.of());
        for (Member member : members) {
            book = book.with(member);
        }
        return book;
    }

    static Address address(Member member) {
        return new Address(
                member.node(),
                member.address().getHostString() + ":" + member.address().getPort());
    }

    AddressBook with(Member member) {
        var next = new ArrayList<>(members);
        next.removeIf(known -> known.node().equals(member.node()));
        next.add(address(member));
        next.sort((a, b) -> Integer.compare(a.node().number(), b.node().number()));
        return new AddressBook(List.copyOf(next));
    }

    Optional<Member> find(NodeId node) {
        return members.stream()
                .filter(known -> known.node().equals(node))
                .findFirst()
                .map(Address::member);
    }

    /** Those of these nodes whose address is known. */
    List<Member> of(NodeSet nodes) {
        return nodes.toList().stream().flatMap(node -> find(node).stream()).toList();
    }

    byte[] encode() {
        return CODEC.write(this);
    }

    static AddressBook decode(byte[] bytes) {
        return CODEC.read(bytes);
    }
}
