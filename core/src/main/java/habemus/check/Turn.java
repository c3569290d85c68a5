package habemus.check;

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
    }
}
