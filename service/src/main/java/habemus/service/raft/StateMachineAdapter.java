package habemus.service.raft;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jgroups.raft.StateMachine;

/** The engine's machine: passes everything on to ours. */
record StateMachineAdapter(
        CorrectedRaft correctedRaft,
        RaftStorage raftStorage,
        Supplier<ReplicatedLog.StateMachine> stateMachine,
        Then then)
        implements StateMachine {

    private static final byte[] NOTHING = {};

    /** What is done with an entry. */
    interface Then {
        void apply(long index, long term, EntryPayload entryPayload);
    }

    @Override
    public byte[] apply(byte[] data, int offset, int length, boolean serialize) {
        long index = correctedRaft.applying();
        long term = raftStorage.termAt(index);
        var entryPayload = EntryPayload.read(ByteBuffer.wrap(data, offset, length));
        then.apply(index, term, entryPayload);
        return NOTHING;
    }

    @Override
    public void writeContentTo(DataOutput out) throws IOException {
        var members = EntryPayload.bytes(correctedRaft.membersNow());
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
        correctedRaft.restored(EntryPayload.members(members));
        stateMachine.get().restore(state);
    }
}
