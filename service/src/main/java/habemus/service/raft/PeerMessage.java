package habemus.service.raft;

import static java.nio.charset.StandardCharsets.UTF_8;

import habemus.protocol.NodeId;
import habemus.service.transport.Member;
import java.nio.ByteBuffer;

/** What nodes write to each other besides what the engine does. */
sealed interface PeerMessage {

    /** To the leader: propose this. */
    sealed interface Wanted extends PeerMessage {}

    /** An entry. */
    @SuppressWarnings("ArrayRecordComponent") // letters are not compared
    record Propose(byte[] item) implements Wanted {}

    /** That this one is added. */
    record Add(EntryPayload.Origin origin, Member member) implements Wanted {}

    /** That this one is removed. */
    record Remove(EntryPayload.Origin origin, NodeId node) implements Wanted {}

    /** From one who does not lead: it was not proposed, ask somebody else. */
    record NotMe(long number) implements PeerMessage {}

    /** From the leader: it was not proposed, and why. */
    record No(long number, String why) implements PeerMessage {}

    /** To the coordinator: this one, which is in that term, knows of no leader. */
    record Vacant(long term) implements PeerMessage {}

    private static ByteBuffer with(int kind, int bytes) {
        return ByteBuffer.allocate(1 + bytes).put((byte) kind);
    }

    private static byte[] with(int kind, EntryPayload.Origin origin, String text) {
        var words = text.getBytes(UTF_8);
        return with(kind, Integer.BYTES + 2 * Long.BYTES + words.length)
                .putInt(origin.node())
                .putLong(origin.life())
                .putLong(origin.number())
                .put(words)
                .array();
    }

    static byte[] write(PeerMessage peerMessage) {
        return switch (peerMessage) {
            case Propose(var item) -> with(1, item.length).put(item).array();
            case Add(var origin, var member) -> with(2, origin, member.toString());
            case Remove(var origin, var node) -> with(3, origin, node.toString());
            case NotMe(var number) -> with(4, Long.BYTES).putLong(number).array();
            case No(var number, var why) -> {
                var words = why.getBytes(UTF_8);
                yield with(5, Long.BYTES + words.length)
                        .putLong(number)
                        .put(words)
                        .array();
            }
            case Vacant(var term) -> with(6, Long.BYTES).putLong(term).array();
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
            case 4 -> new NotMe(in.getLong());
            case 5 -> new No(in.getLong(), new String(rest(in), UTF_8));
            case 6 -> new Vacant(in.getLong());
            default -> throw new IllegalArgumentException("a letter of kind " + kind);
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
