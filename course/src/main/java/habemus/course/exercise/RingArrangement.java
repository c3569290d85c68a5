package habemus.course.exercise;

import java.util.List;

/** What a student writes about Chang–Roberts on a ring: which ring costs most, and how much. */
public interface RingArrangement {

    /**
     * The ring with the most messages if all nodes start at the same time.
     *
     * @param nodes at least 2
     * @return each number from 1 to {@code nodes} once; a node sends to the one after it, the last one to the first
     */
    List<Integer> worstRing(int nodes);

    /** The number of messages on that ring, announcement included. */
    long messages(int nodes);
}
