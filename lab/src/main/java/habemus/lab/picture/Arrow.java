package habemus.lab.picture;

import habemus.world.Mail;
import habemus.world.TraceLine;

/**
 * A message on its way.
 *
 * @param sent the index of the line that sent it
 * @param copy whether the network made it, of a message that arrives too
 * @param told whether applications spoke, not the algorithm
 */
record Arrow(Mail mail, int sent, End end, boolean copy, boolean told) {

    /** What became of it. */
    sealed interface End {

        /** @param line the index of the line that received it */
        record Received(int line) implements End {}

        /** @param line the index of the line that tells of it */
        record Failed(int line, TraceLine.Fate fate) implements End {}

        /** The recording ends before it arrives. */
        record UnderWay() implements End {}
    }
}
