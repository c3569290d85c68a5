package habemus.protocol;

import java.util.List;

/** A state with a part that texts and diagrams show at every step, such as the queue of a coordinator. */
public interface NotedState {

    /** A short text about the state of this node; empty if there is nothing to show at it. */
    String note(NodeId self);

    /** A note about a queue whose first node has the grant: {@code granted to n2, queue [n3 n4]}. */
    static String describe(List<NodeId> queue) {
        var waiters = queue.stream().skip(1).map(NodeId::toString).toList();
        return (queue.isEmpty() ? "free" : "granted to " + queue.getFirst()) + ", queue [" + String.join(" ", waiters)
                + "]";
    }
}
