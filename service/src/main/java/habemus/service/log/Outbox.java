package habemus.service.log;

import java.util.ArrayList;
import java.util.List;
import org.jgroups.Message;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;

/** Below the engine: what it says is held back until what it says it of is on disk. */
final class Outbox extends Protocol {

    private static final short ID = 1_701;

    static {
        ClassConfigurator.addProtocol(ID, Outbox.class);
    }

    private final List<Message> held = new ArrayList<>();
    private boolean holding;

    @Override
    public Object down(Message message) {
        synchronized (held) {
            if (holding && message.getHeader(Consensus.ID) != null) {
                held.add(message);
                return message;
            }
        }
        return down_prot.down(message);
    }

    void hold() {
        synchronized (held) {
            holding = true;
        }
    }

    void release() {
        List<Message> now;
        synchronized (held) {
            holding = false;
            now = List.copyOf(held);
            held.clear();
        }
        now.forEach(down_prot::down);
    }

    /** Nobody will hear of it. */
    void drop() {
        synchronized (held) {
            held.clear();
        }
    }
}
