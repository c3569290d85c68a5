package habemus.check.store;

import habemus.check.model.Action;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a choice does to a cell, worked out once, in numbers.
 *
 * @param kind of the choice, at hand
 * @param branch which of its outcomes this is
 * @param before the cell to which it happens
 * @param after the cell it leaves
 * @param peer the index of who is suspected or restored; negative if nobody is
 * @param sender the index of who sent what arrives or does not; negative if nobody did
 * @param outgoing what leaves the node
 * @param globalEffect what it costs and what is seen of it
 * @param clearsRequest whether the node no longer waits, so that its request is no longer in anybody's past
 * @param isEntry whether the node gets in
 * @param failure what should have been impossible
 */
public record Transition(
        Action action,
        Action.Kind kind,
        Branch branch,
        int before,
        int after,
        int peer,
        int sender,
        OutgoingMessages outgoing,
        int globalEffect,
        boolean clearsRequest,
        boolean isEntry,
        @Nullable RuntimeException failure) {

    /**
     * One of several outcomes.
     *
     * @param outcome of those that the dice allow
     * @param crashAfter after how many outs the node crashes; zero if it does not
     */
    public record Branch(int outcome, int crashAfter) {}

    /** Letters by number, and the index of whom each goes to. */
    public static final class OutgoingMessages {

        static final OutgoingMessages NONE = new OutgoingMessages(new int[0]);

        private final int[] items; // a letter, and who receives it

        public OutgoingMessages(int[] items) {
            this.items = items;
        }

        public int size() {
            return items.length / 2;
        }

        public int message(int i) {
            return items[2 * i];
        }

        public int receiver(int i) {
            return items[2 * i + 1];
        }

        /** Whether the same letters come to the same receivers; where links keep their order, in the same order. */
        public static boolean areSame(boolean inOrder, List<OutgoingMessages> some, List<OutgoingMessages> others) {
            return Arrays.equals(sorted(inOrder, some), sorted(inOrder, others));
        }

        public static Object[] sorted(boolean inOrder, List<OutgoingMessages> outgoingMessageses) {
            return outgoingMessageses.stream()
                    .flatMapToLong(outgoingMessages -> IntStream.range(0, outgoingMessages.size())
                            .mapToLong(i -> (long) outgoingMessages.receiver(i) << 32 | outgoingMessages.message(i)))
                    .boxed()
                    .sorted(Comparator.comparingLong(item -> inOrder ? item >> 32 : item))
                    .toArray();
        }
    }
}
