package habemus.service.raft;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jgroups.raft.StateMachine;

/** Adapts our state machine to that of jgroups-raft. Snapshots also contain the members. */
record StateMachineAdapter(
        CorrectedRaft raft,
        RaftStorage storage,
        Supplier<ReplicatedLog.StateMachine> stateMachine,
        EntryHandler entryHandler)
        implements StateMachine {

    private static final byte[] NOTHING = {};

    /** Called for each committed entry. */
    interface EntryHandler {
        void apply(long index, long term, EntryPayload payload);
    }

    @Override
    public byte[] apply(byte[] data, int offset, int length, boolean serialize) {
        long index = raft.applying();
        long term = storage.termAt(index);
        var payload = EntryPayload.read(ByteBuffer.wrap(data, offset, length));
        entryHandler.apply(index, term, payload);
        return NOTHING;
    }

    @Override
    public void writeContentTo(DataOutput out) throws IOException {
        var members = EntryPayload.bytes(raft.membersNow());
        var state = stateMachine.get().snapshot();
        out.writeInt(members.length);
        out.write(members);
        out.writeInt(state.length);
        out.write(state);
    }

    @Override
    public void readContentFrom(DataInput in) throws IOException {
        var members = new byte[in.readInt()];
        in.readFully(members);
        var state = new byte[in.readInt()];
        in.readFully(state);
        raft.restored(EntryPayload.members(members));
        stateMachine.get().restore(state);
    }
}
