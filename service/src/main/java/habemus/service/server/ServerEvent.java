package habemus.service.server;

import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.protocol.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An event that the {@link LockServerLoop} handles. */
sealed interface ServerEvent {

    record RequestReceived(ClientConnection connection, Message.ClientRequest request) implements ServerEvent {}

    /** An acquire that exceeds a limit, and is cancelled through the log. */
    record LimitExceeded(ClientConnection connection, Message.Submit submit) implements ServerEvent {}

    /** A request that is rejected without the log. */
    record RequestRejected(ClientConnection connection, Message.ServerReply reply) implements ServerEvent {}

    record Disconnected(ClientConnection connection) implements ServerEvent {}

    record Committed(CommandBatch batch) implements ServerEvent {}

    /** Commands that may have been lost with a leader. */
    record ProposalLost(List<Command> commands) implements ServerEvent {}

    record SnapshotRestored(LockTable table) implements ServerEvent {}

    record LeaderChanged(Optional<NodeId> leader) implements ServerEvent {}

    record AdminRequested(Command.AdminCommand command, CompletableFuture<LockTable> done) implements ServerEvent {}

    /** Reads the table after all events queued before. */
    record TableRead(CompletableFuture<LockTable> result) implements ServerEvent {}

    record Stop() implements ServerEvent {}
}
