package habemus.lockservice;

import java.util.List;

/**
 * One entry of the log: the commands that were proposed together.
 *
 * @param timestampMillis milliseconds since 1970 on the clock of the proposing node; only shown, never compared
 */
public record CommandBatch(long timestampMillis, List<Command> commands) {

    public static CommandBatch of(long timestampMillis, Command... commands) {
        return new CommandBatch(timestampMillis, List.of(commands));
    }
}
