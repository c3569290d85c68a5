package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.nio.ByteBuffer;

/** Messages between nodes in addition to those of jgroups-raft: forwarded proposals and reports of a missing leader. */
sealed interface PeerMessage {

    /** A request to the leader. */
    sealed interface LeaderRequest extends PeerMessage {}

    /** Propose this entry. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Propose(byte[] item) implements LeaderRequest {}

    /** Add this member. */
    record Add(EntryPayload.Origin origin, Member member) implements LeaderRequest {}

    /** Remove this member. */
    record Remove(EntryPayload.Origin origin, NodeId node) implements LeaderRequest {}

    /** Reply of a node that is not the leader: the request was not proposed. */
    record NotLeader(long number) implements PeerMessage {}

    /** Reply of the leader: the request was rejected. */
    record Rejected(long number, String reason) implements PeerMessage {}

    /** Report to the coordinator: the sender, which is in this term, knows no leader. */
    record Leaderless(long term) implements PeerMessage {}

    private static ByteBuffer with(int kind, int bytes) {
        return ByteBuffer.allocate(1 + bytes).put((byte) kind);
    }

    private static byte[] with(int kind, EntryPayload.Origin origin, String text) {
        var encoded = text.getBytes(UTF_8);
        return with(kind, Integer.BYTES + 2 * Long.BYTES + encoded.length)
                .putInt(origin.node())
                .putLong(origin.incarnation())
                .putLong(origin.number())
                .put(encoded)
                .array();
    }

    static byte[] write(PeerMessage message) {
        return switch (message) {
            case Propose(var item) -> with(1, item.length).put(item).array();
            case Add(var origin, var member) -> with(2, origin, member.toString());
            case Remove(var origin, var node) -> with(3, origin, node.toString());
            case NotLeader(var number) -> with(4, Long.BYTES).putLong(number).array();
            case Rejected(var number, var reason) -> {
                var encoded = reason.getBytes(UTF_8);
                yield with(5, Long.BYTES + encoded.length)
                        .putLong(number)
                        .put(encoded)
                        .array();
            }
            case Leaderless(var term) -> with(6, Long.BYTES).putLong(term).array();
        };
    }

    static PeerMessage read(byte[] bytes, int offset, int length) {
        var in = ByteBuffer.wrap(bytes, offset, length);
        byte kind = in.get();
        return switch (kind) {
            case 1 -> new Propose(rest(in));
            case 2 ->
                new Add(origin(in), Member.parse(new String(rest(in), UTF_8)).getFirst());
            case 3 -> new Remove(origin(in), Member.parseNode(new String(rest(in), UTF_8)));
            case 4 -> new NotLeader(in.getLong());
            case 5 -> new Rejected(in.getLong(), new String(rest(in), UTF_8));
            case 6 -> new Leaderless(in.getLong());
            default -> throw new IllegalArgumentException("unknown kind of peer message: " + kind);
        };
    }

    private static EntryPayload.Origin origin(ByteBuffer in) {
        return new EntryPayload.Origin(in.getInt(), in.getLong(), in.getLong());
    }

    private static byte[] rest(ByteBuffer in) {
        var rest = new byte[in.remaining()];
        in.get(rest);
        return rest;
    }
}
