package habemus.check.model;

import java.util.HashSet;
import java.util.Set;

/** What earlier searches refuted: eager deliveries that lose runs, and permutations that are no symmetries. */
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

    public void forbidEagerDelivery(NodeState nodeState, PendingMessage pendingMessage) {
        deliveries.add(new Delivery(nodeState, pendingMessage));
    }

    /** Forgets the refuted deliveries: under a refuted symmetry the search visits states that no run reaches. */
    public void clearDeliveries() {
        deliveries.clear();
        messageTypes.clear();
    }

    public void refute(NodePermutation permutation) {
        permutations.add(permutation);
    }

    public boolean allows(NodePermutation permutation) {
        return !permutations.contains(permutation);
    }

    /** Forbids the eager delivery of all messages of a type. */
    public void forbidEagerDelivery(Class<?> messageType) {
        messageTypes.add(messageType);
    }
}
