package habemus.harness.simulation;

import habemus.lockservice.Command;
import habemus.lockservice.CommandBatch;
import habemus.lockservice.OperationResult;
import habemus.lockservice.RequestId;
import habemus.lockservice.Usage;
import habemus.lockservice.protocol.Message;
import habemus.lockservice.storage.StorageFormat;
import habemus.lockservice.table.LockTable;
import habemus.lockservice.table.Notification;
import habemus.protocol.NodeId;
import habemus.service.server.ServerLimits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the log has committed: the entries in their order, and the lock table that they lead to. An entry counts
 * when the first node applies it. Every other node, every snapshot and every reply is compared with it.
 */
final class CommittedHistory {

    private record Renewal(long session, long number) {}

    private final ServiceWorld world;
    private final Map<Long, Integer> entryHashes = new HashMap<>(); // by index
    private final Map<Long, Long> tableIndexes = new HashMap<>(); // by index of the entry
    private final Map<Long, LockTable> tables = new HashMap<>(); // by index of the table
    private final Map<Long, Long> lastEntries = new HashMap<>(); // by index of the table
    private final Map<RequestId, List<OperationResult>> results = new HashMap<>();
    private final Set<Renewal> renewals = new HashSet<>();
    private final Set<Message.SessionOpened> openedSessions = new HashSet<>(); // a repeated request opens one more
    private final Set<Message.SessionRefused> refusedSessions = new HashSet<>();
    private LockTable table = LockTable.EMPTY.withIndex(SimulatedNode.FIRST_FENCE);
    private long lastIndex = 1; // entry 1 is the first snapshot

    CommittedHistory(ServiceWorld world) {
        this.world = world;
        tables.put(0L, LockTable.EMPTY); // of a node that has not joined yet
        remember();
    }

    /** The lock table after all committed entries. */
    LockTable table() {
        return table;
    }

    private void remember() {
        tables.put(table.index(), table);
        tableIndexes.put(lastIndex, table.index());
        lastEntries.put(table.index(), lastIndex);
    }

    /** A node applies an entry. */
    void onApply(NodeId node, long index, byte[] entry) {
        int hash = Arrays.hashCode(entry);
        if (index > lastIndex) {
            commit(node, index, entry);
            entryHashes.put(index, hash);
        } else if (entryHashes.getOrDefault(index, 0) != hash) {
            world.violate(ServiceProperty.REPLICAS_AGREE, () -> node + " applies another entry " + index);
        }
    }

    private void commit(NodeId node, long index, byte[] entry) {
        var batch = StorageFormat.decodeBatch(entry);
        var applied = table.apply(batch);
        checkQuotas(batch);
        world.line(() -> node + " applies entry " + index + ": " + batch.commands());
        lastIndex = index;
        table = applied.table();
        remember();
        for (var command : batch.commands()) {
            if (command instanceof Command.RenewSessions(var renewed)) {
                renewed.forEach(each -> renewals.add(new Renewal(each.session(), each.number())));
            }
        }
        for (var notification : applied.notifications()) {
            switch (notification) {
                case Notification.Result(var session, var number, var result) ->
                    results.computeIfAbsent(new RequestId(session, number), any -> new ArrayList<>())
                            .add(result);
                case Notification.SessionOpened(var nonce, var session) ->
                    openedSessions.add(new Message.SessionOpened(nonce, session));
                case Notification.SessionRefused(var nonce, var reason) ->
                    refusedSessions.add(new Message.SessionRefused(nonce, reason));
                case Notification other -> {}
            }
        }
        world.grants().onCommitted(batch, applied.notifications());
    }

    /** Applies the commands one by one: a refused one must leave all holders, waiters and sessions as they were. */
    private void checkQuotas(CommandBatch batch) {
        if (table.quotas().equals(ServerLimits.DEFAULT.quotas())) {
            return; // too large to be met
        }
        var before = table;
        for (var command : batch.commands()) {
            var step = before.apply(CommandBatch.of(batch.timestampMillis(), command));
            var after = step.table();
            boolean isHarmless = after.resources().equals(before.resources())
                    && after.sessions().keys().equals(before.sessions().keys());
            boolean isWithin = isWithin(
                    before.usage().total(),
                    after.usage().total(),
                    after.quotas().total());
            if (step.notifications().stream().anyMatch(CommittedHistory::isRefusal) && !isHarmless || !isWithin) {
                world.violate(ServiceProperty.HARMLESS_QUOTAS, () -> command + " with " + after.quotas());
            }
            before = after;
        }
    }

    /** Whether nothing has grown beyond its quota. */
    private static boolean isWithin(Usage before, Usage after, Usage quota) {
        return after.sessions() <= Math.max(before.sessions(), quota.sessions())
                && after.names() <= Math.max(before.names(), quota.names())
                && after.waiters() <= Math.max(before.waiters(), quota.waiters());
    }

    private static boolean isRefusal(Notification notification) {
        return switch (notification) {
            case Notification.SessionRefused refused -> true;
            case Notification.Result(var session, var number, OperationResult.Rejected(var reason)) ->
                !reason.quota().isEmpty();
            case Notification other -> false;
        };
    }

    /** Compares the table of a node with what it has applied. */
    void verify(NodeId node, long appliedIndex, LockTable found) {
        var expected = tableIndexes.get(appliedIndex);
        if (expected != null && expected != found.index()) {
            world.violate(
                    ServiceProperty.REPLICAS_AGREE,
                    () -> node + " has command " + found.index() + " after entry " + appliedIndex + ", not command "
                            + expected);
        }
    }

    /**
     * Compares a snapshot with the table of its index.
     *
     * @return the last entry that the snapshot holds; zero if it is wrong
     */
    long verifySnapshot(NodeId node, byte[] snapshot) {
        long index = StorageFormat.decodeTable(snapshot).index();
        var expected = tables.get(index);
        if (expected == null || !Arrays.equals(StorageFormat.encode(expected), snapshot)) {
            world.violate(ServiceProperty.REPLICAS_AGREE, () -> "wrong snapshot of command " + index + " at " + node);
            return 0;
        }
        return lastEntries.getOrDefault(index, 0L);
    }

    /** Compares the whole table of a node with the table of its index. */
    void verifyTable(NodeId node, LockTable found) {
        var expected = tables.get(found.index());
        if (expected == null || !Arrays.equals(StorageFormat.encode(expected), StorageFormat.encode(found))) {
            world.violate(
                    ServiceProperty.REPLICAS_AGREE, () -> "wrong table of command " + found.index() + " at " + node);
        }
    }

    /** A node replies to a client. */
    void onReply(Message.ServerReply reply) {
        boolean isCommitted = switch (reply) {
            case Message.SessionOpened opened -> openedSessions.contains(opened);
            case Message.Renewed(var session, var number) -> renewals.contains(new Renewal(session, number));
            case Message.SessionRefused refused -> refusedSessions.contains(refused);
            case Message.SessionExpired(var session) ->
                table.sessions().get(session).filter(open -> !open.isReplaced()).isEmpty();
            case Message.ResourceChanged changed -> true;
            case Message.Result(var session, var number, var result) ->
                isCommitted(new RequestId(session, number), result);
        };
        if (!isCommitted) {
            world.violate(ServiceProperty.COMMITTED_REPLIES, () -> "no entry leads to " + reply);
        }
    }

    /** A node rejects a request by itself. A request that its client has cancelled counts as released. */
    private boolean isCommitted(RequestId request, OperationResult result) {
        return switch (result) {
            case OperationResult.Rejected rejected -> true;
            case OperationResult.Released released ->
                results.containsKey(request)
                        || table.sessions()
                                .get(request.session())
                                .filter(session -> session.acknowledgedUpTo() < request.number())
                                .isEmpty();
            case OperationResult.Cancelled cancelled -> true;
            case OperationResult other ->
                results.getOrDefault(request, List.of()).contains(other);
        };
    }

    long lastIndex() {
        return lastIndex;
    }
}
