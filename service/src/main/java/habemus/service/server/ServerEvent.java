package habemus.service.server;

import habemus.lockservice.Command;
import habemus.lockservice.OperationResult.RejectionReason;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import java.util.concurrent.CompletableFuture;

/** An event that a client, an operator or the node submits to the {@link LockServerLoop}. */
sealed interface ServerEvent {

    record RequestReceived(ClientConnection connection, Message.ClientRequest request) implements ServerEvent {}

    /** An acquire that exceeds a limit, and is cancelled through the log. */
    record LimitExceeded(ClientConnection connection, Message.Submit submit, RejectionReason limit)
            implements ServerEvent {}

    /** A request that is rejected without the log. */
    record RequestRejected(ClientConnection connection, Message.ServerReply reply) implements ServerEvent {}

    record Disconnected(ClientConnection connection) implements ServerEvent {}

    record AdminRequested(Command.AdminCommand command, CompletableFuture<LockTable> done) implements ServerEvent {}

    /** There are denied requests to be kept in the audit. */
    record DenialsCollected() implements ServerEvent {}

    record Stop(CompletableFuture<Void> stopped) implements ServerEvent {}
}
