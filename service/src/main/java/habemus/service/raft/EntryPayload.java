package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jgroups.Address;
import org.jgroups.protocols.raft.LogEntry;
import org.jgroups.raft.util.Utils;

/**
 * The payload of a Raft log entry: its origin, and a proposal or a member list.
 *
 * <pre>
 *   kind (1 byte)   node (4)   incarnation (8)   number (8)   content
 * </pre>
 */
sealed interface EntryPayload {

    int HEAD = 1 + Integer.BYTES + 2 * Long.BYTES;
    byte ENTRY = 1;
    byte ROSTER = 2;

    /** Identifies the proposal at the node that made it. */
    Origin origin();

    /**
     * The proposing node and the number of the proposal, unique within one incarnation of the node.
     *
     * @param incarnation random, new at every start of the node
     */
    record Origin(int node, long incarnation, long number) {}

    /** An entry for the state machine. */
    @SuppressWarnings("ArrayRecordComponent") // entries are not compared
    record Entry(Origin origin, byte[] bytes) implements EntryPayload {}

    /** The voting members from this entry on. Every leader starts its term with one. */
    record Roster(Origin origin, List<Member> members) implements EntryPayload {}

    static byte[] write(EntryPayload payload) {
        return switch (payload) {
            case Entry(var origin, var bytes) -> write(ENTRY, origin, bytes);
            case Roster(var origin, var members) -> write(ROSTER, origin, bytes(members));
        };
    }

    private static byte[] write(byte kind, Origin origin, byte[] rest) {
        return ByteBuffer.allocate(HEAD + rest.length)
                .put(kind)
                .putInt(origin.node())
                .putLong(origin.incarnation())
                .putLong(origin.number())
                .put(rest)
                .array();
    }

    static EntryPayload read(ByteBuffer bytes) {
        byte kind = bytes.get();
        var origin = new Origin(bytes.getInt(), bytes.getLong(), bytes.getLong());
        var rest = new byte[bytes.remaining()];
        bytes.get(rest);
        return switch (kind) {
            case ENTRY -> new Entry(origin, rest);
            case ROSTER -> new Roster(origin, members(rest));
            default -> throw new IllegalStateException("unknown kind of log entry: " + kind);
        };
    }

    /** Whether the entry was proposed by this node. */
    static boolean isOf(NodeId node, LogEntry entry) {
        return entry.length() >= HEAD && ByteBuffer.wrap(entry.command()).getInt(entry.offset() + 1) == node.number();
    }

    /** The members, if the entry is a member list. */
    static Optional<List<Member>> members(LogEntry entry) {
        if (entry.length() == 0 || entry.command()[entry.offset()] != ROSTER) {
            return Optional.empty();
        }
        return read(ByteBuffer.wrap(entry.command(), entry.offset(), entry.length())) instanceof Roster roster
                ? Optional.of(roster.members())
                : Optional.empty();
    }

    static byte[] bytes(List<Member> members) {
        return members.stream()
                .map(Member::toString)
                .collect(Collectors.joining(","))
                .getBytes(UTF_8);
    }

    static List<Member> members(byte[] bytes) {
        return Member.parse(new String(bytes, UTF_8));
    }

    /** The raft id of a node. */
    static String name(NodeId node) {
        return node.toString();
    }

    /** The node with this JGroups address. */
    static NodeId node(Address address) {
        return Member.parseNode(Utils.extractRaftId(address));
    }
}
