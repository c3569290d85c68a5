package habemus.lab.diagram.model;

import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;

/**
 * One copy of a message from its sending to its end.
 *
 * @param sendIndex the index of the event that sent it
 * @param duplicate whether the network duplicated a message, and this is the second copy
 * @param fromApplication whether an application sent it, not the algorithm
 */
public record MessageArrow(
        InFlightMessage inFlightMessage, int sendIndex, End end, boolean duplicate, boolean fromApplication) {

    /** How the message ended. */
    public sealed interface End {

        /** @param index the index of the event that received it */
        record Received(int index) implements End {}

        /** @param index the index of the event that reports the drop */
        record Dropped(int index, TraceEvent.Fate fate) implements End {}

        /** The recording ends before the message arrives. */
        record InFlight() implements End {}
    }
}
