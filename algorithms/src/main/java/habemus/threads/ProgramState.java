package habemus.threads;

import habemus.protocol.Labelled;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.util.List;

/** The state of a node of a program: of a thread, or of a shared object. */
@WireTags({ThreadState.class, SharedObject.class})
public sealed interface ProgramState extends Labelled permits ThreadState, SharedObject {

    /** A step to this state without effects. */
    default Step<ProgramState, Access> step() {
        return new Step<>(this, List.of());
    }

    /** What a correct program never does, such as releasing a lock that the thread does not hold. */
    default ProtocolBug bug(Access access) {
        return new ProtocolBug(access.label(), this);
    }
}
