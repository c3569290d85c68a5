package habemus.service.recording;

import habemus.protocol.NodeId;
import habemus.raft.RaftMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages that the recorded steps sent and did not receive yet, by link. Messages have no numbers: a received
 * message is the earliest equal one after the last that was received on its link, or a late one before it.
 */
final class LinkHistory {

    /** After a reconnect some messages may arrive behind later ones. */
    private static final int LATE_MAX = 1_000;

    private record Link(NodeId from, NodeId to) {}

    /** Messages in the order of sending; null once received. */
    private static final class Queue {
        private final List<@Nullable RaftMessage> messages = new ArrayList<>();
        private int next; // behind the last received one

        int find(RaftMessage message) {
            int found = find(message, next, messages.size());
            return found >= 0 ? found : find(message, 0, next);
        }

        private int find(RaftMessage message, int from, int to) {
            for (int i = from; i < to; i++) {
                if (message.equals(messages.get(i))) {
                    return i;
                }
            }
            return -1;
        }

        void remove(int position) {
            messages.set(position, null);
            next = Math.max(next, position + 1);
            if (next > 2 * LATE_MAX) {
                messages.subList(0, next - LATE_MAX).clear();
                next = LATE_MAX;
            }
        }
    }

    private final Map<Link, Queue> queues = new HashMap<>();

    void onSend(NodeId from, NodeId to, RaftMessage message) {
        queues.computeIfAbsent(new Link(from, to), link -> new Queue()).messages.add(message);
    }

    /** Whether the message was sent, and not received. */
    boolean isInFlight(NodeId from, NodeId to, RaftMessage message) {
        var queue = queues.get(new Link(from, to));
        return queue != null && queue.find(message) >= 0;
    }

    void onReceive(NodeId from, NodeId to, RaftMessage message) {
        var queue = queues.get(new Link(from, to));
        int found = queue == null ? -1 : queue.find(message);
        if (queue != null && found >= 0) {
            queue.remove(found);
        }
    }
}
