package habemus.service.raft;

import habemus.protocol.ByteString;
import java.nio.ByteBuffer;

/** The content of a snapshot: the addresses of the members, and the state of the application. */
record SnapshotEnvelope(AddressBook addresses, ByteBuffer content) {

    static ByteString encode(AddressBook addresses, byte[] state) {
        var book = addresses.encode();
        var bookLength = ByteBuffer.allocate(Integer.BYTES).putInt(book.length).array();
        return ByteString.ofAll(bookLength, book, state);
    }

    static SnapshotEnvelope decode(ByteString snapshot) {
        var bytes = snapshot.asByteBuffer();
        var book = new byte[bytes.getInt()];
        bytes.get(book);
        return new SnapshotEnvelope(AddressBook.decode(book), bytes);
    }

    /** The state of the application. */
    byte[] state() {
        var state = new byte[content.remaining()];
        content.duplicate().get(state);
        return state;
    }
}
