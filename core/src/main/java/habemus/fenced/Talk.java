package habemus.fenced;

import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;

/** What is said between a client's session, a node of the service, and the log beneath it. */
@WireTags({Talk.OfLog.class, Talk.Reply.class, Talk.Request.class})
public sealed interface Talk {

    private static String of(Wish wish) {
        return switch (wish) {
            case Wish.Acquire acquire ->
                "acquire "
                        + String.join(
                                " ",
                                acquire.wants().stream()
                                        .map(want -> want.name().text())
                                        .toList());
            case Wish.Release(var claim) -> "release " + claim;
            case Wish.Transfer(var claim, var to) -> "transfer " + claim + " to " + to;
            case Wish.Close() -> "close";
        };
    }

    /** Briefly: who reads a trace knows who has asked. */
    static String of(List<Command> commands) {
        return String.join(
                " ",
                commands.stream()
                        .map(command -> command.getClass().getSimpleName())
                        .toList());
    }

    /** From a client. */
    @WireTags({Ask.class, Attach.class, Open.class, Renew.class, Watch.class})
    sealed interface Request extends Talk {}

    /** To a client. */
    @WireTags({Answered.class, Changed.class, Gone.class, Opened.class, Renewed.class})
    sealed interface Reply extends Talk {}

    /** Between a node and the log. */
    @WireTags({Committed.class, Installed.class, Leading.class, Propose.class})
    sealed interface OfLog extends Talk {}

    /** @param nonce another one for every attempt */
    record Open(long nonce, Person person, Duration lease) implements Request {
        @Override
        public String toString() {
            return "Open(" + person + ")";
        }
    }

    /** From now on this node speaks with the session, and not the one before. */
    record Attach(long session, long nonce) implements Request {}

    record Renew(long session, long number) implements Request {}

    record Ask(long session, long number, long settled, Wish wish) implements Request {
        @Override
        public String toString() {
            return "Ask(" + session + ":" + number + " " + Talk.of(wish) + ")";
        }
    }

    record Opened(long nonce, long session) implements Reply {}

    /** An entry that says so has been committed after this renewal arrived. */
    record Renewed(long session, long number) implements Reply {}

    record Answered(long session, long number, Answer answer) implements Reply {
        @Override
        public String toString() {
            var what = answer.getClass().getSimpleName()
                    + (answer instanceof Answer.Granted(var fence) ? " " + fence : "");
            return "Answered(" + session + ":" + number + " " + what + ")";
        }
    }

    record Gone(long session) implements Reply {}

    /** Wants to be told of every change from now on. */
    record Watch() implements Request {}

    /** Somebody was let in there, or left, or joined the line, or left it. */
    record Changed(Name name) implements Reply {}

    /** To the log, which may lose them, or commit them much later; commands of several may become one entry. */
    record Propose(List<Command> commands) implements OfLog {
        @Override
        public String toString() {
            return "Propose(" + Talk.of(commands) + ")";
        }
    }

    /** From the log, to every node, in the same order. */
    record Committed(Entry entry) implements OfLog {}

    /** From the log: whether this node leads, as far as one can know. */
    record Leading(boolean leads) implements OfLog {}

    /** From the log, to a node that has come up, or was away too long. */
    record Installed(Table table) implements OfLog {}
}
