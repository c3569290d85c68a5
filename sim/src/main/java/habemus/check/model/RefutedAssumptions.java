package habemus.check.model;

import java.util.HashSet;
import java.util.Set;

/** What one search learns for the next: letters that may not hurry, and renamings that somebody notices. */
public final class RefutedAssumptions {

    private record Delivery(NodeState nodeState, PendingMessage pendingMessage) {}

    private final Set<Delivery> deliveries = new HashSet<>();
    private final Set<NodePermutation> permutations = new HashSet<>();
    private final Set<Class<?>> messageTypes = new HashSet<>();

    public boolean forbidsEagerDelivery(PendingMessage pendingMessage) {
        return messageTypes.contains(pendingMessage.message().getClass());
    }

    public boolean forbidsEagerDelivery(NodeState nodeState, PendingMessage pendingMessage) {
        return forbidsEagerDelivery(pendingMessage) || deliveries.contains(new Delivery(nodeState, pendingMessage));
    }

    public void add(NodeState nodeState, PendingMessage pendingMessage) {
        deliveries.add(new Delivery(nodeState, pendingMessage));
    }

    /** What was learned of letters does not count where what was met may not have been real. */
    public void clearDeliveries() {
        deliveries.clear();
        messageTypes.clear();
    }

    /** Somebody noticed it. */
    public void add(NodePermutation nodePermutation) {
        permutations.add(nodePermutation);
    }

    public boolean allows(NodePermutation nodePermutation) {
        return !permutations.contains(nodePermutation);
    }

    /** All letters with this kind of message. */
    public void add(Class<?> kind) {
        messageTypes.add(kind);
    }
}
