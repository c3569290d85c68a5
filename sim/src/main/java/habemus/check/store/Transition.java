package habemus.check.store;

import habemus.check.model.Action;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One outcome of an action in a node state, computed once. Node states, messages and nodes are given by id or index.
 *
 * @param kind of the action, kept here because the search reads it most often
 * @param branch which of the outcomes of the action this is
 * @param before the node state in which the action happens
 * @param after the node state that it leaves
 * @param peer the index of the node that is suspected or restored; negative if there is none
 * @param sender the index of the sender of the message that is delivered or dropped; negative if there is none
 * @param globalEffect the id of the observable events and the faults charged: see {@link GlobalStateTable#after}
 * @param clearsRequest whether the request of the node ends, and so leaves every causal past
 * @param isEntry whether the node acquires the lock
 * @param failure the protocol bug or impure step; null if the step succeeded
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
     * One of several outcomes of an action.
     *
     * @param outcome the index among the outcomes of the random draws
     * @param crashAfter the number of outputs before the node crashes; zero if it does not
     */
    public record Branch(int outcome, int crashAfter) {}

    /** The sent messages by id, and the index of the receiver of each. */
    public static final class OutgoingMessages {

        static final OutgoingMessages NONE = new OutgoingMessages(new int[0]);

        private final int[] items; // a message, then its receiver

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

        /** Whether the receivers get the same messages; if links keep their order, in the same order. */
        public static boolean areSame(boolean inOrder, List<OutgoingMessages> some, List<OutgoingMessages> others) {
            return Arrays.equals(sorted(inOrder, some), sorted(inOrder, others));
        }

        public static Object[] sorted(boolean inOrder, List<OutgoingMessages> parts) {
            return parts.stream()
                    .flatMapToLong(outgoingMessages -> IntStream.range(0, outgoingMessages.size())
                            .mapToLong(i -> (long) outgoingMessages.receiver(i) << 32 | outgoingMessages.message(i)))
                    .boxed()
                    .sorted(Comparator.comparingLong(item -> inOrder ? item >> 32 : item))
                    .toArray();
        }
    }
}
