package habemus.threads;

import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.WireTags;

/** The state of a shared object. It handles one access after the other: each of them is atomic. */
@WireTags({
    Memory.Variable.class,
    Memory.ItemQueue.class,
    Memory.Letters.class,
    Locks.Monitor.class,
    Locks.Semaphore.class,
    Locks.MultiLock.class
})
public sealed interface SharedObject extends ProgramState
        permits Memory.Variable, Memory.ItemQueue, Memory.Letters, Locks.Monitor, Locks.Semaphore, Locks.MultiLock {

    /** The name of the object in its program. */
    String name();

    Step<ProgramState, Access> access(NodeId thread, Access access);

    /** Receives the random number that an access asked for. */
    default Step<ProgramState, Access> drawn(int value) {
        throw new ProtocolBug("a draw", this);
    }

    @Override
    default String label() {
        return name();
    }
}
