package habemus.service.raft;

import habemus.protocol.ByteString;
import habemus.protocol.NodeId;
import habemus.raft.RaftState;
import habemus.service.transport.Member;
import java.nio.ByteBuffer;
import java.util.List;

/** What a log puts into its entries and snapshots, for tests of other packages. */
public final class LogPayloads {

    private LogPayloads() {}

    public static ByteString entry(NodeId node, byte[] content) {
        return new EntryPayload(EntryPayload.Kind.ENTRY, new EntryPayload.Origin(node, 1, 1), ByteBuffer.wrap(content))
                .encode();
    }

    public static ByteString snapshot(List<Member> members, byte[] state) {
        return SnapshotEnvelope.encode(AddressBook.of(members), state);
    }

    /** The state of the first node of a new cluster. */
    public static RaftState.DurableState firstState(List<Member> members, byte[] state) {
        return BackupRestore.firstState(state, AddressBook.of(members));
    }

    /** The state of the other nodes of a new cluster. */
    public static RaftState.DurableState emptyState() {
        return BackupRestore.emptyState();
    }
}
