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
 * The letters under way to a node, as one number. Where links keep their order, the letters of each sender stand in the
 * order in which they were sent, and the senders by number; else letters stand in any order, always the same.
 *
 * <p>A heartbeat right behind an equal one is one with it: else a slow link would hold more and more of them.
 */
public final class InboxTable {

    /** About what a letter and an inbox take, in bytes: with all else it comes near to what the heap shows. */
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

    /** About what it takes, all in. */
    long bytes() {
        return messages.bytes()
                + MESSAGE_BYTES * messages.size()
                + contents.bytes()
                + INBOX_BYTES * contents.size()
                + withMessage.bytes()
                + withoutMessage.bytes();
    }

    public int message(PendingMessage pendingMessage) {
        return messages.intern(pendingMessage);
    }

    public PendingMessage message(int number) {
        return messages.get(number);
    }

    public int with(int inbox, int letter) {
        int known = withMessage.get(key(inbox, letter));
        return known != LongIntMap.ABSENT ? known : withMessage.put(key(inbox, letter), computeWith(inbox, letter));
    }

    private static long key(int inbox, int letter) {
        return (long) inbox << 32 | letter;
    }

    private int computeWith(int inbox, int letter) {
        var more = new ArrayList<>(contents.get(inbox));
        int at = 0;
        while (at < more.size() && !sortsBefore(letter, more.get(at))) {
            at++;
        }
        if (at > 0
                && more.get(at - 1) == letter
                && PeriodicMessage.isPeriodic(messages.get(letter).message())) {
            return inbox; // one with the heartbeat before it
        }
        more.add(at, letter);
        return contents.intern(List.copyOf(more));
    }

    private boolean sortsBefore(int one, int other) {
        return inOrder ? sender(other).isAbove(sender(one)) : one < other;
    }

    private NodeId sender(int letter) {
        return messages.get(letter).from();
    }

    int without(int inbox, int letter) {
        int known = withoutMessage.get(key(inbox, letter));
        return known != LongIntMap.ABSENT
                ? known
                : withoutMessage.put(key(inbox, letter), computeWithout(inbox, letter));
    }

    private int computeWithout(int inbox, int letter) {
        var fewer = new ArrayList<Integer>();
        boolean found = false;
        for (int each : contents.get(inbox)) {
            if (found || each != letter) {
                fewer.add(each);
            } else {
                found = true;
            }
        }
        return contents.intern(List.copyOf(fewer));
    }

    /** All, as they stand. */
    public List<Integer> messages(int inbox) {
        return contents.get(inbox);
    }

    /** Those that may arrive next, each once. */
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

    /** Whether the one after it cannot arrive before it, or would be no news. */
    private boolean blocks(int letter, int after) {
        return inOrder ? sender(letter).equals(sender(after)) : letter == after;
    }

    /** The same, if all of it has arrived before the first alarm. */
    int markEarly(int inbox) {
        return mapped(inbox, PendingMessage::asEarly);
    }

    /** Whether some of it has arrived before the first alarm. */
    boolean hasEarly(int inbox) {
        return contents.get(inbox).stream()
                .anyMatch(letter -> messages.get(letter).early());
    }

    /** The same, with letters that no longer know that this node asked. */
    int withoutRequest(int inbox, NodeId node) {
        return mapped(inbox, pendingMessage -> pendingMessage.withoutRequest(node));
    }

    private int mapped(int inbox, UnaryOperator<PendingMessage> each) {
        var next = new ArrayList<Integer>();
        for (int letter : contents.get(inbox)) {
            next.add(messages.intern(each.apply(messages.get(letter))));
        }
        if (!inOrder) {
            Collections.sort(next);
        }
        return contents.intern(List.copyOf(next));
    }
}
