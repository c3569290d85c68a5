package habemus.fenced;

/**
 * An operator has interfered.
 *
 * @param effect what came of it, in words
 * @param at milliseconds since 1970, on the clock of the node that proposed it
 */
public record Audit(long index, Command.Force force, String effect, long at) {}
