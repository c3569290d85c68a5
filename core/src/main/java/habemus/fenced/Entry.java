package habemus.fenced;

import java.util.List;

/**
 * One entry of the log: commands that arrived together.
 *
 * @param at when they did, in milliseconds since 1970 on the clock of the node that proposed it; only ever shown
 */
public record Entry(long at, List<Command> commands) {

    public static Entry of(long at, Command... commands) {
        return new Entry(at, List.of(commands));
    }
}
