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
 * What an entry of the engine's log holds: who proposed it, and what.
 *
 * <pre>
 *   kind (1 byte)   node (4)   life (8)   number (8)   the rest
 * </pre>
 */
sealed interface EntryPayload {

    int HEAD = 1 + Integer.BYTES + 2 * Long.BYTES;
    byte ENTRY = 1;
    byte ROSTER = 2;

    /** Whose it is: that node finds its proposal by it. */
    Origin origin();

    /**
     * Of one node all numbers of one life differ.
     *
     * @param life of a node: another one each time that it is started
     */
    record Origin(int node, long life, long number) {}

    /** What the machine is told. */
    @SuppressWarnings("ArrayRecordComponent") // entries are not compared
    record Entry(Origin origin, byte[] bytes) implements EntryPayload {}

    /** These keep the log from now on. Every leader begins with one. */
    record Roster(Origin origin, List<Member> members) implements EntryPayload {}

    static byte[] write(EntryPayload entryPayload) {
        return switch (entryPayload) {
            case Entry(var origin, var bytes) -> write(ENTRY, origin, bytes);
            case Roster(var origin, var members) -> write(ROSTER, origin, bytes(members));
        };
    }

    private static byte[] write(byte kind, Origin origin, byte[] rest) {
        return ByteBuffer.allocate(HEAD + rest.length)
                .put(kind)
                .putInt(origin.node())
                .putLong(origin.life())
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
            default ->
                throw new IllegalStateException("an entry of kind " + kind + ", which this version does not know");
        };
    }

    /** Whether this node has proposed it. */
    static boolean isOf(NodeId node, LogEntry entry) {
        return entry.length() >= HEAD && ByteBuffer.wrap(entry.command()).getInt(entry.offset() + 1) == node.number();
    }

    /** Whom an entry makes members, if it does. */
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

    /** The name of a node in the engine. */
    static String name(NodeId node) {
        return node.toString();
    }

    /** Whose address in the engine this is. */
    static NodeId node(Address address) {
        return Member.parseNode(Utils.extractRaftId(address));
    }
}
