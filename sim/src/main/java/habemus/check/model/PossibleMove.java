package habemus.check.model;

import habemus.world.InFlightMessage;
import org.jspecify.annotations.Nullable;

/**
 * A move that is possible after a schedule.
 *
 * @param action what happens at the node of the move
 * @param message the message that is delivered, duplicated or dropped; null if there is none
 */
public record PossibleMove(
        Move move, Action action, @Nullable InFlightMessage message) {}
