package habemus.lab.diagram.model;

import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;

/**
 * A message on its way.
 *
 * @param sendIndex the index of the line that sent it
 * @param duplicate whether the network made it, of a message that arrives too
 * @param fromApplication whether applications spoke, not the algorithm
 */
public record MessageArrow(
        InFlightMessage inFlightMessage, int sendIndex, End end, boolean duplicate, boolean fromApplication) {

    /** What became of it. */
    public sealed interface End {

        /** @param index the index of the line that received it */
        record Received(int index) implements End {}

        /** @param index the index of the line that tells of it */
        record Dropped(int index, TraceEvent.Fate fate) implements End {}

        /** The recording ends before it arrives. */
        record InFlight() implements End {}
    }
}
