package habemus.service.transport;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Decides which connection is served next: the principals in turn, and the connections of each principal in turn. So a
 * principal with many connections gets no more than one with few. Used on the event loop only.
 */
final class RoundRobin<C> {

    private final Map<String, Deque<C>> waiting = new LinkedHashMap<>(); // by principal, the next one first

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** Adds a connection behind the others of its principal. It must not be waiting already. */
    void add(String principal, C connection) {
        waiting.computeIfAbsent(principal, any -> new ArrayDeque<>()).add(connection);
    }

    /**
     * Removes the next connection.
     *
     * @throws java.util.NoSuchElementException if none waits
     */
    C next() {
        var first = waiting.entrySet().iterator().next();
        var principal = first.getKey();
        var connections = first.getValue();
        waiting.remove(principal);
        var next = connections.remove();
        if (!connections.isEmpty()) {
            waiting.put(principal, connections); // behind the other principals
        }
        return next;
    }
}
