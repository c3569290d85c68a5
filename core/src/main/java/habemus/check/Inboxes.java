package habemus.check;

import habemus.protocol.Background;
import habemus.protocol.NodeId;
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
final class Inboxes {

    /** About what a letter and an inbox take, in bytes: with all else it comes near to what the heap shows. */
    private static final long LETTER = 64;

    private static final long INBOX = 100;

    private final boolean inOrder;
    private final Numbered<Letter> letters = new Numbered<>();
    private final Numbered<List<Integer>> contents = new Numbered<>();
    private final LongMap longer = new LongMap();
    private final LongMap shorter = new LongMap();
    private final List<int[]> heads = new ArrayList<>(); // by inbox
    private final int empty = contents.number(List.of());

    Inboxes(boolean inOrder) {
        this.inOrder = inOrder;
    }

    int empty() {
        return empty;
    }

    /** About what it takes, all in. */
    long bytes() {
        return letters.bytes()
                + LETTER * letters.size()
                + contents.bytes()
                + INBOX * contents.size()
                + longer.bytes()
                + shorter.bytes();
    }

    int letter(Letter letter) {
        return letters.number(letter);
    }

    Letter letter(int number) {
        return letters.get(number);
    }

    int plus(int inbox, int letter) {
        int known = longer.get(key(inbox, letter));
        return known != LongMap.ABSENT ? known : longer.put(key(inbox, letter), workOutPlus(inbox, letter));
    }

    private static long key(int inbox, int letter) {
        return (long) inbox << 32 | letter;
    }

    private int workOutPlus(int inbox, int letter) {
        var more = new ArrayList<>(contents.get(inbox));
        int at = 0;
        while (at < more.size() && !goesBefore(letter, more.get(at))) {
            at++;
        }
        if (at > 0
                && more.get(at - 1) == letter
                && Background.is(letters.get(letter).message())) {
            return inbox; // one with the heartbeat before it
        }
        more.add(at, letter);
        return contents.number(List.copyOf(more));
    }

    private boolean goesBefore(int one, int other) {
        return inOrder ? sender(other).above(sender(one)) : one < other;
    }

    private NodeId sender(int letter) {
        return letters.get(letter).from();
    }

    int minus(int inbox, int letter) {
        int known = shorter.get(key(inbox, letter));
        return known != LongMap.ABSENT ? known : shorter.put(key(inbox, letter), workOutMinus(inbox, letter));
    }

    private int workOutMinus(int inbox, int letter) {
        var fewer = new ArrayList<Integer>();
        boolean found = false;
        for (int each : contents.get(inbox)) {
            if (found || each != letter) {
                fewer.add(each);
            } else {
                found = true;
            }
        }
        return contents.number(List.copyOf(fewer));
    }

    /** All, as they stand. */
    List<Integer> letters(int inbox) {
        return contents.get(inbox);
    }

    /** Those that may arrive next, each once. */
    int[] heads(int inbox) {
        while (heads.size() < contents.size()) {
            heads.add(workOutHeads(contents.get(heads.size())));
        }
        return heads.get(inbox);
    }

    private int[] workOutHeads(List<Integer> content) {
        return IntStream.range(0, content.size())
                .filter(i -> i == 0 || !hides(content.get(i - 1), content.get(i)))
                .map(content::get)
                .toArray();
    }

    /** Whether the one after it cannot arrive before it, or would be no news. */
    private boolean hides(int letter, int after) {
        return inOrder ? sender(letter).equals(sender(after)) : letter == after;
    }

    /** The same, if all of it has arrived before the first alarm. */
    int inTime(int inbox) {
        return mapped(inbox, Letter::inTime);
    }

    /** Whether some of it has arrived before the first alarm. */
    boolean hasEarly(int inbox) {
        return contents.get(inbox).stream()
                .anyMatch(letter -> letters.get(letter).early());
    }

    /** The same, with letters that no longer know that this node asked. */
    int forgetting(int inbox, NodeId node) {
        return mapped(inbox, letter -> letter.forgetting(node));
    }

    private int mapped(int inbox, UnaryOperator<Letter> each) {
        var next = new ArrayList<Integer>();
        for (int letter : contents.get(inbox)) {
            next.add(letters.number(each.apply(letters.get(letter))));
        }
        if (!inOrder) {
            Collections.sort(next);
        }
        return contents.number(List.copyOf(next));
    }
}
