package habemus.lockservice.protocol;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.table.LockTable;
import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;

/** What is said between a client's session, a node of the service, and the log beneath it. */
@WireTags({Message.LogMessage.class, Message.ServerReply.class, Message.ClientRequest.class})
public sealed interface Message {

    private static String describe(Operation operation) {
        return switch (operation) {
            case Operation.Acquire acquire ->
                "acquire "
                        + String.join(
                                " ",
                                acquire.shares().stream()
                                        .map(resourceShare ->
                                                resourceShare.resourceName().text())
                                        .toList());
            case Operation.Release(var claim) -> "release " + claim;
            case Operation.Transfer(var claim, var to) -> "transfer " + claim + " to " + to;
            case Operation.Close() -> "close";
        };
    }

    /** Briefly: who reads a trace knows who has asked. */
    static String describe(List<Command> commands) {
        return String.join(
                " ",
                commands.stream()
                        .map(command -> command.getClass().getSimpleName())
                        .toList());
    }

    /** From a client. */
    @WireTags({Submit.class, Attach.class, OpenSession.class, Renew.class, Watch.class})
    sealed interface ClientRequest extends Message {}

    /** To a client. */
    @WireTags({Result.class, ResourceChanged.class, SessionExpired.class, SessionOpened.class, Renewed.class})
    sealed interface ServerReply extends Message {}

    /** Between a node and the log. */
    @WireTags({Committed.class, SnapshotInstalled.class, LeadershipChanged.class, Propose.class})
    sealed interface LogMessage extends Message {}

    /** @param nonce another one for every attempt */
    record OpenSession(long nonce, ClientInfo client, Duration lease) implements ClientRequest {
        @Override
        public String toString() {
            return "Open(" + client + ")";
        }
    }

    /** From now on this node speaks with the session, and not the one before. */
    record Attach(long session, long nonce) implements ClientRequest {}

    record Renew(long session, long number) implements ClientRequest {}

    record Submit(long session, long number, long acknowledgedUpTo, Operation operation) implements ClientRequest {
        @Override
        public String toString() {
            return "Ask(" + session + ":" + number + " " + Message.describe(operation) + ")";
        }
    }

    record SessionOpened(long nonce, long session) implements ServerReply {}

    /** An entry that says so has been committed after this renewal arrived. */
    record Renewed(long session, long number) implements ServerReply {}

    record Result(long session, long number, OperationResult result) implements ServerReply {
        @Override
        public String toString() {
            var what = result.getClass().getSimpleName()
                    + (result instanceof OperationResult.Granted(var fence) ? " " + fence : "");
            return "Answered(" + session + ":" + number + " " + what + ")";
        }
    }

    record SessionExpired(long session) implements ServerReply {}

    /** Wants to be told of every change from now on. */
    record Watch() implements ClientRequest {}

    /** Somebody was let in there, or left, or joined the line, or left it. */
    record ResourceChanged(ResourceName resourceName) implements ServerReply {}

    /** To the log, which may lose them, or commit them much later; commands of several may become one entry. */
    record Propose(List<Command> commands) implements LogMessage {
        @Override
        public String toString() {
            return "Propose(" + Message.describe(commands) + ")";
        }
    }

    /** From the log, to every node, in the same order. */
    record Committed(CommandBatch batch) implements LogMessage {}

    /** From the log: whether this node leads, as far as one can know. */
    record LeadershipChanged(boolean isLeader) implements LogMessage {}

    /** From the log, to a node that has come up, or was away too long. */
    record SnapshotInstalled(LockTable lockTable) implements LogMessage {}
}
