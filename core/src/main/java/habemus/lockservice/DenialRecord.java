package habemus.lockservice;

/**
 * A request that was denied for lack of a right.
 *
 * @param index of the command
 * @param timestampMillis milliseconds since 1970 on the clock of the proposing node
 */
public record DenialRecord(long index, Command.RecordDenial denial, long timestampMillis) {}
