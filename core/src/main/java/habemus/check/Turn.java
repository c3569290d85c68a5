package habemus.check;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What a choice does to a cell, worked out once, in numbers.
 *
 * @param kind of the choice, at hand
 * @param way which of its outcomes this is
 * @param before the cell to which it happens
 * @param after the cell it leaves
 * @param peer the index of who is suspected or restored; negative if nobody is
 * @param sender the index of who sent what arrives or does not; negative if nobody did
 * @param post what leaves the node
 * @param account what it costs and what is seen of it
 * @param forgets whether the node no longer waits, so that its request is no longer in anybody's past
 * @param enters whether the node gets in
 * @param failure what should have been impossible
 */
record Turn(
        Choice choice,
        Choice.Kind kind,
        Way way,
        int before,
        int after,
        int peer,
        int sender,
        Post post,
        int account,
        boolean forgets,
        boolean enters,
        @Nullable RuntimeException failure) {

    /**
     * One of several outcomes.
     *
     * @param which of those that the dice allow
     * @param cut after how many outs the node crashes; zero if it does not
     */
    record Way(int which, int cut) {}

    /** Letters by number, and the index of whom each goes to. */
    static final class Post {

        static final Post NONE = new Post(new int[0]);

        private final int[] items; // a letter, and who receives it

        Post(int[] items) {
            this.items = items;
        }

        int size() {
            return items.length / 2;
        }

        int letter(int i) {
            return items[2 * i];
        }

        int receiver(int i) {
            return items[2 * i + 1];
        }

        /** Whether the same letters come to the same receivers; where links keep their order, in the same order. */
        static boolean same(boolean inOrder, List<Post> some, List<Post> others) {
            return Arrays.equals(sorted(inOrder, some), sorted(inOrder, others));
        }

        static Object[] sorted(boolean inOrder, List<Post> posts) {
            return posts.stream()
                    .flatMapToLong(post -> IntStream.range(0, post.size())
                            .mapToLong(i -> (long) post.receiver(i) << 32 | post.letter(i)))
                    .boxed()
                    .sorted(Comparator.comparingLong(item -> inOrder ? item >> 32 : item))
                    .toArray();
        }
    }
}
