package habemus.lockservice;

/**
 * An operator's action and its effect.
 *
 * @param index of the command
 * @param effect one line of text for operators
 * @param timestampMillis milliseconds since 1970 on the clock of the proposing node
 */
public record AuditRecord(long index, Command.AdminCommand command, String effect, long timestampMillis) {}
