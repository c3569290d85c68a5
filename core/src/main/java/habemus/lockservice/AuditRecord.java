package habemus.lockservice;

/**
 * An operator has interfered.
 *
 * @param effect what came of it, in words
 * @param timestampMillis milliseconds since 1970, on the clock of the node that proposed it
 */
public record AuditRecord(long index, Command.AdminCommand command, String effect, long timestampMillis) {}
