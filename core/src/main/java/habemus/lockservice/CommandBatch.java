package habemus.lockservice;

import java.util.List;

/**
 * One entry of the log: commands that arrived together.
 *
 * @param timestampMillis when they did, in milliseconds since 1970 on the clock of the node that proposed it; only ever shown
 */
public record CommandBatch(long timestampMillis, List<Command> commands) {

    public static CommandBatch of(long at, Command... commands) {
        return new CommandBatch(at, List.of(commands));
    }
}
