package habemus.service.http;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import habemus.service.algorithm.GroupStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the door answers, as JSON: the names of the components are those that clients see. */
final class ApiResponses {

    private static final Gson GSON =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    private ApiResponses() {}

    static String json(Object answer) {
        return GSON.toJson(answer);
    }

    /** As in 2026-01-31T12:00:00.250Z. */
    static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    record ErrorResponse(ErrorDetail error) {}

    record ErrorDetail(String code, String message, String hint) {}

    record Health(String node, String state) {}

    /**
     * @param node who answers
     * @param locks the algorithm of all locks
     * @param elections the algorithm of all elections
     */
    record Status(String node, String locks, String elections, FrameCounts frameCounts, List<NodeJson> nodes) {}

    /** How many the node has sent, received, and refused. */
    record FrameCounts(long sent, long received, long refused) {}

    /**
     * A node as the one that answers sees it; what is not known of it is null.
     *
     * @param state up, silent (it is there, but did not answer in time), or down
     * @param leader whom it names as leader of the election "leader"
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

    /** @param unreachable who did not answer in time */
    record Locks(List<LockJson> locks, List<String> unreachable) {}

    /**
     * @param node where the holder is a client
     * @param conflictingHolders who also believes to hold it: never anybody, if the algorithm keeps its promise
     */
    record LockJson(
            String name,
            @Nullable String holder,
            @Nullable String node,
            @Nullable Long fence,
            @Nullable String since,
            List<HolderJson> conflictingHolders,
            List<WaiterJson> waiters) {}

    record HolderJson(String holder, String node, long fence, String since) {}

    record WaiterJson(String client, String node, String since) {
        static WaiterJson of(String node, GroupStatus.Client client) {
            return new WaiterJson(client.name(), node, time(client.sinceMillis()));
        }
    }

    record Leaders(List<LeaderJson> leaders, List<String> unreachable) {}

    /**
     * @param name of the election
     * @param named by whom
     * @param acting the client of the leader that acts for it
     */
    record LeaderJson(
            String name,
            @Nullable String leader,
            @Nullable Long term,
            List<String> named,
            @Nullable String acting,
            List<WaiterJson> waiters) {}

    /**
     * A ticket: of a lock it has a fence, of an election a term.
     *
     * @param state waiting, held, released, lost (the algorithm, or the election, took it back), expired, or stopping
     * @param lease milliseconds that are left of it; null if another node was told last
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

    /** Something that happened to a node, as an event of a watch. */
    record NodeChange(String name, String state, @Nullable Long incarnation) {}

    /** How a lock is at one node. */
    record LockChange(
            String name,
            String node,
            @Nullable String holder,
            @Nullable Long fence,
            @Nullable String since,
            List<WaiterJson> waiters) {}

    /** Whom a node names as leader. */
    record LeaderChange(
            String name,
            String node,
            @Nullable String leader,
            @Nullable Long term,
            @Nullable String acting,
            List<WaiterJson> waiters) {}

    // what only the production service answers

    /**
     * @param leader of the log
     * @param term of the log
     */
    record LockServerHealth(
            String node, String state, long pid, @Nullable String leader, long term) {}

    /**
     * @param locks fenced, as elections are
     * @param leader of the log
     * @param faultTolerant whether the service survives the loss of a node
     */
    record LockServerStatus(
            String node,
            String locks,
            String elections,
            @Nullable String leader,
            boolean faultTolerant,
            CountsJson counts,
            List<NodeJson> nodes) {}

    /** Of the whole service: how many sessions, and claims that wait; of this node: how many entries it applied. */
    record CountsJson(int sessions, long waiters, long entries) {}

    /** A lock, and who had it before. */
    record LockHistoryJson(
            String name,
            @Nullable String holder,
            @Nullable String node,
            @Nullable Long fence,
            @Nullable String since,
            List<HolderJson> conflictingHolders,
            List<WaiterJson> waiters,
            List<PastHolderJson> history) {}

    /** @param how released, closed, expired, revoked or transferred */
    record PastHolderJson(String holder, String node, long fence, String since, String until, String how) {}

    record Semaphores(List<SemaphoreJson> semaphores) {}

    /** @param size how many permits there are, null if nobody uses it */
    record SemaphoreJson(
            String name, @Nullable Integer size, int taken, List<PermitHolderJson> holders, List<WaiterJson> waiters) {}

    record PermitHolderJson(String holder, String node, int permits, long fence, String since) {}

    /** A ticket of permits. */
    record SemaphoreTicketJson(
            String ticket,
            String semaphore,
            int permits,
            String client,
            String node,
            String state,
            @Nullable Long fence,
            @Nullable Long lease) {}

    /** A ticket of several locks. */
    record MultiLockTicketJson(
            String ticket,
            List<String> locks,
            String client,
            String node,
            String state,
            @Nullable Long fence,
            @Nullable Long lease) {}

    record Sessions(List<SessionJson> sessions) {}

    /** @param lease milliseconds */
    record SessionJson(long session, String client, String node, long lease, List<String> holds, List<String> waits) {}

    record Audits(List<AuditJson> audit) {}

    /** @param effect what came of it */
    record AuditJson(long index, String order, String operator, String reason, String effect, String at) {}

    record Deadlocks(List<DeadlockJson> deadlocks) {}

    /** Each waits for the next, the last for the first. */
    record DeadlockJson(List<WaitJson> circle) {}

    record WaitJson(String client, String node, String wants, String holder, String holderNode) {}

    record Members(List<MemberJson> members) {}

    record MemberJson(String name, String address) {}

    /** Who leads the log, as an event of a watch. */
    record LogChange(String node, @Nullable String leader) {}

    /** How a semaphore is. */
    record SemaphoreChange(
            String name, String node, int taken, List<PermitHolderJson> holders, List<WaiterJson> waiters) {}
}
