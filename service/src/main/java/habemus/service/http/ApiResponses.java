package habemus.service.http;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import habemus.service.algorithm.GroupStatus;
import habemus.service.log.LogHealth;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The JSON responses of the HTTP API. Component names are the public field names; openapi.json lists the same. */
final class ApiResponses {

    private static final Gson GSON =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    private ApiResponses() {}

    static String json(Object answer) {
        return GSON.toJson(answer);
    }

    /** ISO 8601 in UTC, for example 2026-01-31T12:00:00.250Z. */
    static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    record ErrorResponse(ErrorDetail error) {}

    record ErrorDetail(String code, String message, String hint) {}

    record Health(String node, String state) {}

    /**
     * @param node the node that responds
     * @param lockAlgorithm the algorithm of all locks
     * @param electionAlgorithm the algorithm of all elections
     */
    record Status(
            String node,
            String lockAlgorithm,
            String electionAlgorithm,
            FrameCounts frameCounts,
            List<NodeJson> nodes) {}

    /** Frames between nodes that this node has sent, received and rejected. */
    record FrameCounts(long sent, long received, long rejected) {}

    /**
     * A node as the responding node sees it. Unknown values are null.
     *
     * @param state up, unreachable (connected, but no response in time), or down
     * @param leader the leader that this node announces: of the election "leader", or of the replicated log
     * @param http the address of its HTTP API
     */
    record NodeJson(
            String name,
            String address,
            String state,
            @Nullable String leader,
            @Nullable Long term,
            @Nullable Long incarnation,
            @Nullable Long pid,
            @Nullable String http) {}

    /**
     * @param next the parameter {@code after} of the following page; null if this is the last one
     * @param unreachable the nodes that did not respond in time
     */
    record Locks(List<LockJson> locks, @Nullable String next, List<String> unreachable) {}

    /**
     * @param node the node that the holder is a client of; of a lock server: the host of the holder
     * @param otherHolders the other holders: of a shared lock those that share it; of an exclusive lock none,
     *     unless a classic algorithm violates mutual exclusion
     */
    record LockJson(
            String name,
            @Nullable String holder,
            @Nullable String node,
            @Nullable Long fence,
            @Nullable String since,
            List<HolderJson> otherHolders,
            List<WaiterJson> waiters) {}

    record HolderJson(String holder, String node, long fence, String since) {}

    record WaiterJson(String client, String node, String since) {
        static WaiterJson of(String node, GroupStatus.Client client) {
            return new WaiterJson(client.name(), node, time(client.sinceMillis()));
        }
    }

    record Leaders(List<LeaderJson> leaders, @Nullable String next, List<String> unreachable) {}

    /**
     * @param name the election
     * @param leader the leading node; of a lock server: the leading client
     * @param announcedBy the nodes that announce this leader
     * @param leadingClient the client of the leading node that is the leader now
     */
    record LeaderJson(
            String name,
            @Nullable String leader,
            @Nullable Long term,
            List<String> announcedBy,
            @Nullable String leadingClient,
            List<WaiterJson> waiters) {}

    /**
     * A ticket for a lock or an election. A lock has a fence, an election a term.
     *
     * @param state waiting, held, released, lost (revoked, or the node is no longer the leader), expired, or stopping
     * @param lease remaining milliseconds; null if the last renewal went through another node
     */
    record TicketJson(
            String ticket,
            @Nullable String lock,
            @Nullable String election,
            String client,
            String node,
            String state,
            @Nullable Long fence,
            @Nullable Long term,
            @Nullable Long lease) {}

    /** Watch event: a node went up or down. */
    record NodeChange(String name, String state, @Nullable Long incarnation) {}

    /** Watch event: a lock changed at one node. */
    record LockChange(
            String name,
            String node,
            @Nullable String holder,
            @Nullable Long fence,
            @Nullable String since,
            List<WaiterJson> waiters) {}

    /** Watch event: an election changed at one node. */
    record LeaderChange(
            String name,
            String node,
            @Nullable String leader,
            @Nullable Long term,
            @Nullable String leadingClient,
            List<WaiterJson> waiters) {}

    // responses of lock servers only

    /** The process works; what it lacks, waiting may mend. */
    record Liveness(String node, boolean live) {}

    /** @param reasons why clients should use another node now; empty if this one is ready */
    record Readiness(String node, boolean ready, List<ReasonJson> reasons) {}

    /** @param code no-leader, behind, quota-full, engine-unreachable or failed */
    record ReasonJson(String code, String message) {}

    /**
     * @param leader the leader of the replicated log
     * @param term the term of the replicated log
     * @param reasons why the node is not ready; empty if it is
     * @param staleSince the last time when the table of this node was certainly current; null if it is
     */
    record LockServerHealth(
            String node,
            String state,
            long pid,
            @Nullable String leader,
            long term,
            List<ReasonJson> reasons,
            @Nullable String staleSince) {}

    /**
     * @param lockAlgorithm always "fenced"
     * @param electionAlgorithm always "fenced"
     * @param leader the leader of the replicated log
     * @param faultTolerant whether the service survives the loss of one node
     * @param log what the service keeps its state in
     * @param staleSince the last time when the responding node was certainly current; null if it is
     */
    record LockServerStatus(
            String node,
            String lockAlgorithm,
            String electionAlgorithm,
            @Nullable String leader,
            boolean faultTolerant,
            LogJson log,
            CountsJson counts,
            @Nullable String staleSince,
            List<NodeJson> nodes) {}

    /** @param problem why this node cannot reach the engine; null if it can */
    record LogJson(String engine, @Nullable String problem) {

        static LogJson of(LogHealth health) {
            return new LogJson(health.engine(), health.problem().orElse(null));
        }
    }

    /** Sessions and waiters of the whole service; log entries applied by this node. */
    record CountsJson(int sessions, long waiters, long appliedEntries) {}

    /** A lock with its past holders. */
    record LockHistoryJson(
            String name,
            @Nullable String holder,
            @Nullable String node,
            @Nullable Long fence,
            @Nullable String since,
            List<HolderJson> otherHolders,
            List<WaiterJson> waiters,
            List<PastHolderJson> history) {}

    /** @param endReason released, closed, expired, revoked or transferred */
    record PastHolderJson(String holder, String node, long fence, String since, String until, String endReason) {}

    record Semaphores(
            List<SemaphoreJson> semaphores, @Nullable String next) {}

    /**
     * @param size total number of permits; null if the semaphore is unused
     * @param permitsInUse granted permits
     */
    record SemaphoreJson(
            String name,
            @Nullable Integer size,
            int permitsInUse,
            List<PermitHolderJson> holders,
            List<WaiterJson> waiters) {}

    record PermitHolderJson(String holder, String node, int permits, long fence, String since) {}

    /** A ticket for permits of a semaphore. */
    record SemaphoreTicketJson(
            String ticket,
            String semaphore,
            int permits,
            String client,
            String node,
            String state,
            @Nullable Long fence,
            @Nullable Long lease) {}

    /** A ticket for several locks that were granted together. */
    record MultiLockTicketJson(
            String ticket,
            List<String> locks,
            String client,
            String node,
            String state,
            @Nullable Long fence,
            @Nullable Long lease) {}

    record Sessions(List<SessionJson> sessions, @Nullable String next) {}

    /**
     * @param owner the same for the sessions of nested commands; empty for a session alone
     * @param lease length in milliseconds
     */
    record SessionJson(
            long session,
            String client,
            String owner,
            String node,
            long lease,
            List<String> holds,
            List<String> waitsFor) {}

    record Audits(List<AuditJson> audit, @Nullable String next) {}

    /**
     * @param index of the command in the log
     * @param kind action (of an operator) or denial (of a request without the right for it)
     * @param command the command of the operator as text; the denied request
     * @param operator who acted; the client that was denied
     * @param address where the operator, or the client, sent it from
     * @param effect what the command changed
     */
    record AuditJson(
            long index,
            String kind,
            String command,
            String operator,
            String address,
            String reason,
            String effect,
            String at) {}

    record Deadlocks(List<DeadlockJson> deadlocks) {}

    /** A cycle in the wait-for graph: each client waits for the next, the last for the first. */
    record DeadlockJson(List<WaitJson> cycle) {}

    /** @param resource what the client waits for */
    record WaitJson(String client, String node, String resource, String holder, String holderNode) {}

    /** @param log what a lock server keeps its state in; null for a node of classic algorithms */
    record Members(List<MemberJson> members, @Nullable LogJson log) {}

    record MemberJson(String name, String address) {}

    /** Watch event: the leader of the replicated log changed. */
    record LogChange(String node, @Nullable String leader) {}

    /** Watch event: a semaphore changed. */
    record SemaphoreChange(
            String name, String node, int permitsInUse, List<PermitHolderJson> holders, List<WaiterJson> waiters) {}
}
