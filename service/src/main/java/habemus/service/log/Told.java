package habemus.service.log;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jgroups.raft.StateMachine;

/** The engine's machine: passes everything on to ours. */
record Told(Consensus consensus, Journal journal, Supplier<Log.Machine> machine, Then then) implements StateMachine {

    private static final byte[] NOTHING = {};

    /** What is done with an entry. */
    interface Then {
        void apply(long index, long term, Item item);
    }

    @Override
    public byte[] apply(byte[] data, int offset, int length, boolean serialize) {
        long index = consensus.applying();
        long term = journal.termAt(index);
        var item = Item.read(ByteBuffer.wrap(data, offset, length));
        then.apply(index, term, item);
        return NOTHING;
    }

    @Override
    public void writeContentTo(DataOutput out) throws IOException {
        var members = Item.bytes(consensus.membersNow());
        var state = machine.get().snapshot();
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
        consensus.restored(Item.members(members));
        machine.get().restore(state);
    }
}
