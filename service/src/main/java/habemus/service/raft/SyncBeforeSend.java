package habemus.service.raft;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.Message;
import org.jgroups.View;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.stack.Protocol;

/** JGroups protocol below Raft: holds back its messages until the entries that they acknowledge are on disk. */
final class SyncBeforeSend extends Protocol {

    private static final short ID = 1_701;

    static {
        ClassConfigurator.addProtocol(ID, SyncBeforeSend.class);
    }

    private final List<Message> held = new ArrayList<>();
    private volatile List<Address> members = List.of();
    private Optional<Collection<Address>> audience = Optional.empty(); // receivers of broadcasts; all if empty
    private boolean holding;

    @Override
    public Object up(Event event) {
        if (event.type() == Event.VIEW_CHANGE) {
            members = event.<View>arg().getMembers();
        }
        return up_prot.up(event);
    }

    @Override
    public Object down(Message message) {
        if (message.getHeader(CorrectedRaft.ID) == null) {
            return down_prot.down(message);
        }
        synchronized (held) {
            if (holding) {
                held.add(message);
                return message;
            }
        }
        pass(message);
        return message;
    }

    /** Sends a broadcast to each member by unicast, so that no member waits for an unreachable one. */
    private void pass(Message message) {
        if (message.dest() != null) {
            down_prot.down(message);
            return;
        }
        for (Address member : members) {
            if (!member.equals(local_addr)
                    && (audience.isEmpty() || audience.get().contains(member))) {
                down_prot.down(message.copy(true, true).setDest(member));
            }
        }
    }

    /** Restricts the broadcasts of the task to these members. */
    void only(Collection<Address> these, Runnable task) {
        audience = Optional.of(these);
        try {
            task.run();
        } finally {
            audience = Optional.empty();
        }
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
        now.forEach(this::pass);
    }

    /** Drops the held messages. */
    void drop() {
        synchronized (held) {
            held.clear();
        }
    }
}
