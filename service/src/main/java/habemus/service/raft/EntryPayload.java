package habemus.service.raft;

import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import java.nio.ByteBuffer;

/**
 * The command of a log entry: its origin, and what was proposed.
 *
 * <pre>
 *   kind (1)   node (4)   incarnation (8)   number (8)   content
 * </pre>
 */
record EntryPayload(Kind kind, Origin origin, ByteBuffer content) {

    private static final int HEAD_BYTES = 1 + Integer.BYTES + 2 * Long.BYTES;

    enum Kind {
        /** An entry of the application. */
        ENTRY,
        /** The address of a member that is about to be added. */
        ADDRESS
    }

    /**
     * Who waits for the outcome.
     *
     * @param incarnation a random number of this start of the node
     * @param number of the proposal, in this incarnation
     */
    record Origin(NodeId node, long incarnation, long number) {}

    ByteString encode() {
        return ByteString.of(ByteBuffer.allocate(HEAD_BYTES + content.remaining())
                .put((byte) kind.ordinal())
                .putInt(origin.node().number())
                .putLong(origin.incarnation())
                .putLong(origin.number())
                .put(content.duplicate())
                .array());
    }

    byte[] bytes() {
        var bytes = new byte[content.remaining()];
        content.duplicate().get(bytes);
        return bytes;
    }

    static EntryPayload decode(ByteString command) {
        var bytes = command.asByteBuffer();
        var kind = bytes.get() == 0 ? Kind.ENTRY : Kind.ADDRESS;
        var origin = new Origin(new NodeId(bytes.getInt()), bytes.getLong(), bytes.getLong());
        return new EntryPayload(kind, origin, bytes);
    }
}
