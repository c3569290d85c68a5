package habemus.lockservice.protocol;

import habemus.lockservice.ClientInfo;
import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.Operation;
import habemus.lockservice.OperationResult;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.ResourceName;
import habemus.lockservice.SessionOrigin;
import habemus.lockservice.table.LockTable;
import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;

/** A message between client session, lock server and replicated log. */
@WireTags({Message.LogMessage.class, Message.ServerReply.class, Message.ClientRequest.class})
public sealed interface Message {

    private static String describe(Operation operation) {
        return switch (operation) {
            case Operation.Acquire acquire ->
                "acquire "
                        + String.join(
                                " ",
                                acquire.shares().stream()
                                        .map(share -> share.name().text())
                                        .toList());
            case Operation.Release(var request, var fence) -> "release " + request;
            case Operation.Transfer(var request, var to) -> "transfer " + request + " to " + to;
            case Operation.Close() -> "close";
            case Operation.Abandon abandon -> "abandon";
        };
    }

    /** {@return the kinds of the commands only; the details are in the requests of the same trace} */
    static String describe(List<Command> commands) {
        return String.join(
                " ",
                commands.stream()
                        .map(command -> command.getClass().getSimpleName())
                        .toList());
    }

    /** From a client session to a lock server. */
    @WireTags({Submit.class, Attach.class, OpenSession.class, Renew.class, Watch.class})
    sealed interface ClientRequest extends Message {}

    /** From a lock server to a client session. */
    @WireTags({
        Result.class,
        ResourceChanged.class,
        SessionExpired.class,
        SessionOpened.class,
        Renewed.class,
        SessionRefused.class
    })
    sealed interface ServerReply extends Message {}

    /** Between a lock server and the log. */
    @WireTags({Committed.class, SnapshotInstalled.class, LeadershipChanged.class, Propose.class})
    sealed interface LogMessage extends Message {}

    /** @param nonce a new one for every attempt */
    record OpenSession(long nonce, ClientInfo client, Duration lease, SessionOrigin origin) implements ClientRequest {
        public OpenSession(long nonce, ClientInfo client, Duration lease) {
            this(nonce, client, lease, new SessionOrigin.FirstSession());
        }

        @Override
        public String toString() {
            return "OpenSession(" + client + ")";
        }
    }

    /** Attaches the session to this server. The server that it was attached to before gets no more requests. */
    record Attach(long session, long nonce) implements ClientRequest {
        /** Does not show the nonce. */
        @Override
        public String toString() {
            return "Attach(session " + session + ")";
        }
    }

    record Renew(long session, long number) implements ClientRequest {}

    record Submit(long session, long number, long acknowledgedUpTo, Operation operation) implements ClientRequest {
        @Override
        public String toString() {
            return "Submit(" + session + ":" + number + " " + Message.describe(operation) + ")";
        }
    }

    record SessionOpened(long nonce, long session) implements ServerReply {
        /** Does not show the nonce. */
        @Override
        public String toString() {
            return "SessionOpened(session " + session + ")";
        }
    }

    /** The session was not opened. */
    record SessionRefused(long nonce, RejectionReason reason) implements ServerReply {
        @Override
        public String toString() {
            return "SessionRefused(" + reason + ")";
        }
    }

    /** The renewal of this number is committed. */
    record Renewed(long session, long number) implements ServerReply {}

    record Result(long session, long number, OperationResult result) implements ServerReply {
        @Override
        public String toString() {
            var outcome = result.getClass().getSimpleName()
                    + (result instanceof OperationResult.Granted(var fence) ? " " + fence : "");
            return "Result(" + session + ":" + number + " " + outcome + ")";
        }
    }

    /** The session has ended, or never existed. */
    record SessionExpired(long session) implements ServerReply {}

    /** Asks for a {@link ResourceChanged} with every change from now on. */
    record Watch() implements ClientRequest {}

    /** The holders or the queue of this resource changed. */
    record ResourceChanged(ResourceName name) implements ServerReply {}

    /** To the log, which may lose the commands or commit them much later, also together with those of other servers. */
    record Propose(List<Command> commands) implements LogMessage {
        @Override
        public String toString() {
            return "Propose(" + Message.describe(commands) + ")";
        }
    }

    /** From the log, to every server in the same order. */
    record Committed(CommandBatch batch) implements LogMessage {}

    /** From the log: whether this server is the leader, as far as the log knows. */
    record LeadershipChanged(boolean isLeader) implements LogMessage {}

    /** From the log, to a server that has restarted or lags too far behind. */
    record SnapshotInstalled(LockTable table) implements LogMessage {}
}
