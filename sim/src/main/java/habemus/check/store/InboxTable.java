package habemus.check.store;

import habemus.check.model.PendingMessage;
import habemus.protocol.NodeId;
import habemus.protocol.PeriodicMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * The interned inboxes: the messages in flight to one node. If links keep their order, an inbox lists the senders by
 * number and the messages of each sender in the order of sending. Else it lists the messages by id.
 *
 * <p>A periodic message directly after an equal one is merged with it: else a slow link would collect heartbeats
 * without bound.
 */
public final class InboxTable {

    /** The approximate sizes of a message and of an inbox on the heap. */
    private static final long MESSAGE_BYTES = 64;

    private static final long INBOX_BYTES = 100;

    private final boolean inOrder;
    private final Interner<PendingMessage> messages = new Interner<>();
    private final Interner<List<Integer>> contents = new Interner<>();
    private final LongIntMap withMessage = new LongIntMap();
    private final LongIntMap withoutMessage = new LongIntMap();
    private final List<int[]> deliverable = new ArrayList<>(); // by inbox
    private final int empty = contents.intern(List.of());

    InboxTable(boolean inOrder) {
        this.inOrder = inOrder;
    }

    public int empty() {
        return empty;
    }

    long bytes() {
        return messages.bytes()
                + MESSAGE_BYTES * messages.size()
                + contents.bytes()
                + INBOX_BYTES * contents.size()
                + withMessage.bytes()
                + withoutMessage.bytes();
    }

    public int idOf(PendingMessage pendingMessage) {
        return messages.intern(pendingMessage);
    }

    public PendingMessage message(int id) {
        return messages.get(id);
    }

    public int with(int inbox, int message) {
        int known = withMessage.get(key(inbox, message));
        return known != LongIntMap.ABSENT ? known : withMessage.put(key(inbox, message), computeWith(inbox, message));
    }

    private static long key(int inbox, int message) {
        return (long) inbox << 32 | message;
    }

    private int computeWith(int inbox, int message) {
        var more = new ArrayList<>(contents.get(inbox));
        int at = 0;
        while (at < more.size() && !sortsBefore(message, more.get(at))) {
            at++;
        }
        if (at > 0
                && more.get(at - 1) == message
                && PeriodicMessage.isPeriodic(messages.get(message).message())) {
            return inbox; // merged with the equal heartbeat before it
        }
        more.add(at, message);
        return contents.intern(List.copyOf(more));
    }

    private boolean sortsBefore(int one, int other) {
        return inOrder ? sender(other).isAbove(sender(one)) : one < other;
    }

    private NodeId sender(int message) {
        return messages.get(message).from();
    }

    int without(int inbox, int message) {
        int known = withoutMessage.get(key(inbox, message));
        return known != LongIntMap.ABSENT
                ? known
                : withoutMessage.put(key(inbox, message), computeWithout(inbox, message));
    }

    private int computeWithout(int inbox, int message) {
        var fewer = new ArrayList<Integer>();
        boolean found = false;
        for (int other : contents.get(inbox)) {
            if (found || other != message) {
                fewer.add(other);
            } else {
                found = true;
            }
        }
        return contents.intern(List.copyOf(fewer));
    }

    /** The ids of all messages, in the order of the inbox. */
    public List<Integer> messages(int inbox) {
        return contents.get(inbox);
    }

    /** The messages that may be delivered next, equal ones only once. */
    int[] deliverable(int inbox) {
        while (deliverable.size() < contents.size()) {
            deliverable.add(computeDeliverable(contents.get(deliverable.size())));
        }
        return deliverable.get(inbox);
    }

    private int[] computeDeliverable(List<Integer> content) {
        return IntStream.range(0, content.size())
                .filter(i -> i == 0 || !blocks(content.get(i - 1), content.get(i)))
                .map(content::get)
                .toArray();
    }

    /** Whether the next message cannot be delivered before this one, or is equal to it. */
    private boolean blocks(int message, int after) {
        return inOrder ? sender(message).equals(sender(after)) : message == after;
    }

    /** The inbox in which all messages arrived before the first timeout: {@link PendingMessage#early}. */
    int markEarly(int inbox) {
        return mapped(inbox, PendingMessage::asEarly);
    }

    boolean hasEarly(int inbox) {
        return contents.get(inbox).stream()
                .anyMatch(message -> messages.get(message).early());
    }

    /** The inbox without the request of a node in the causal pasts of its messages. */
    int withoutRequest(int inbox, NodeId node) {
        return mapped(inbox, pendingMessage -> pendingMessage.withoutRequest(node));
    }

    private int mapped(int inbox, UnaryOperator<PendingMessage> change) {
        var next = new ArrayList<Integer>();
        for (int message : contents.get(inbox)) {
            next.add(messages.intern(change.apply(messages.get(message))));
        }
        if (!inOrder) {
            Collections.sort(next);
        }
        return contents.intern(List.copyOf(next));
    }
}
