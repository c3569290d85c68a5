package habemus.service.server;

import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.table.LockTable;
import habemus.protocol.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** What waits at the {@link LockServerLoop}. */
sealed interface ServerEvent {

    record RequestReceived(ClientConnection connection, Message.ClientRequest clientRequest) implements ServerEvent {}

    /** There is no room for it: it is called off. */
    record LimitExceeded(ClientConnection connection, Message.Submit submit) implements ServerEvent {}

    record RequestRejected(ClientConnection connection, Message.ServerReply serverReply) implements ServerEvent {}

    record Disconnected(ClientConnection connection) implements ServerEvent {}

    record Committed(CommandBatch commandBatch) implements ServerEvent {}

    /** The log may have lost them. */
    record ProposalLost(List<Command> commands) implements ServerEvent {}

    record SnapshotRestored(LockTable lockTable) implements ServerEvent {}

    record LeaderChanged(Optional<NodeId> leader) implements ServerEvent {}

    record AdminRequested(Command.AdminCommand adminCommand, CompletableFuture<LockTable> done)
            implements ServerEvent {}

    /** Completed when all before has been done. */
    record TableRead(CompletableFuture<LockTable> result) implements ServerEvent {}

    record Stop() implements ServerEvent {}
}
