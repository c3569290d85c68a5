package habemus.service.raft;

import habemus.codec.Codec;
import habemus.protocol.EntryId;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.service.transport.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The addresses and the data folders of the members. It is part of the replicated state: an entry adds an address
 * before its node becomes a member. So every node knows the folder of every member, also of those that it has never
 * been connected to.
 *
 * @param members by number of the node
 */
record AddressBook(List<Address> members) {

    private static final Codec<AddressBook> CODEC = Codec.of(AddressBook.class);

    /** Stands for the data folder of a member that no entry names, as after the restore of a backup. */
    static final long UNKNOWN_FOLDER = 0;

    /**
     * @param text as {@code host:port}
     * @param memberId the random number of the data folder, or {@link #UNKNOWN_FOLDER}
     * @param since the entry that added the address; entry zero until it is applied
     */
    record Address(NodeId node, String text, long memberId, EntryId since) {

        static Address of(Member member, long memberId) {
            return new Address(member.node(), member.addressText(), memberId, new EntryId(0, 0));
        }

        Address withSince(EntryId entry) {
            return new Address(node, text, memberId, entry);
        }

        Member member() {
            return new Member(node, Member.parseAddress(text, text));
        }
    }

    /** The data folders are unknown. */
    static AddressBook of(List<Member> members) {
        var book = new AddressBook(List.of());
        for (Member member : members) {
            book = book.with(Address.of(member, UNKNOWN_FOLDER));
        }
        return book;
    }

    AddressBook with(Address address) {
        var next = new ArrayList<>(members);
        next.removeIf(known -> known.node().equals(address.node()));
        next.add(address);
        next.sort((a, b) -> Integer.compare(a.node().number(), b.node().number()));
        return new AddressBook(List.copyOf(next));
    }

    AddressBook retain(NodeSet nodes) {
        return new AddressBook(
                members.stream().filter(known -> nodes.contains(known.node())).toList());
    }

    Optional<Address> find(NodeId node) {
        return members.stream().filter(known -> known.node().equals(node)).findFirst();
    }

    /** The data folder of a member, or {@link #UNKNOWN_FOLDER}. */
    long folder(NodeId node) {
        return find(node).map(Address::memberId).orElse(UNKNOWN_FOLDER);
    }

    /** Those of these nodes whose address is known. */
    List<Member> of(NodeSet nodes) {
        return nodes.toList().stream()
                .flatMap(node -> find(node).stream())
                .map(Address::member)
                .toList();
    }

    byte[] encode() {
        return CODEC.write(this);
    }

    static AddressBook decode(byte[] bytes) {
        return CODEC.read(bytes);
    }
}
