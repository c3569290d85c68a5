package habemus.service.http;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import habemus.service.node.Account;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the door answers, as JSON: the names of the components are those that clients see. */
final class Answers {

    private static final Gson GSON =
            new GsonBuilder().serializeNulls().disableHtmlEscaping().create();

    private Answers() {}

    static String json(Object answer) {
        return GSON.toJson(answer);
    }

    /** As in 2026-01-31T12:00:00.250Z. */
    static String time(long millis) {
        return Instant.ofEpochMilli(millis).toString();
    }

    record Refused(Reason error) {}

    record Reason(String code, String message, String hint) {}

    record Health(String node, String state) {}

    /**
     * @param node who answers
     * @param locks the algorithm of all locks
     * @param elections the algorithm of all elections
     */
    record Status(String node, String locks, String elections, Frames frames, List<NodeOf> nodes) {}

    /** How many the node has sent, received, and refused. */
    record Frames(long sent, long received, long refused) {}

    /**
     * A node as the one that answers sees it; what is not known of it is null.
     *
     * @param state up, silent (it is there, but did not answer in time), or down
     * @param leader whom it names as leader of the election "leader"
     */
    record NodeOf(
            String name,
            String address,
            String state,
            @Nullable String leader,
            @Nullable Long term,
            @Nullable Long incarnation,
            @Nullable Long pid,
            @Nullable String http) {}

    /** @param silent who did not answer in time */
    record Locks(List<LockOf> locks, List<String> silent) {}

    /**
     * @param node where the holder is a client
     * @param others who also believes to hold it: never anybody, if the algorithm keeps its promise
     */
    record LockOf(
            String name,
            @Nullable String holder,
            @Nullable String node,
            @Nullable Long fence,
            @Nullable String since,
            List<HolderOf> others,
            List<WaiterOf> waiters) {}

    record HolderOf(String holder, String node, long fence, String since) {}

    record WaiterOf(String client, String node, String since) {
        static WaiterOf of(String node, Account.Client client) {
            return new WaiterOf(client.name(), node, time(client.since()));
        }
    }

    record Leaders(List<LeaderOf> leaders, List<String> silent) {}

    /**
     * @param name of the election
     * @param named by whom
     * @param acting the client of the leader that acts for it
     */
    record LeaderOf(
            String name,
            @Nullable String leader,
            @Nullable Long term,
            List<String> named,
            @Nullable String acting,
            List<WaiterOf> waiters) {}

    /**
     * A ticket: of a lock it has a fence, of an election a term.
     *
     * @param state waiting, held, released, lost (the algorithm, or the election, took it back), expired, or stopping
     * @param lease milliseconds that are left of it; null if another node was told last
     */
    record TicketOf(
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
            List<WaiterOf> waiters) {}

    /** Whom a node names as leader. */
    record LeaderChange(
            String name,
            String node,
            @Nullable String leader,
            @Nullable Long term,
            @Nullable String acting,
            List<WaiterOf> waiters) {}

    // what only the production service answers

    /**
     * @param leader of the log
     * @param term of the log
     */
    record FencedHealth(
            String node, String state, long pid, @Nullable String leader, long term) {}

    /**
     * @param locks fenced, as elections are
     * @param leader of the log
     * @param faultTolerant whether the service survives the loss of a node
     */
    record FencedStatus(
            String node,
            String locks,
            String elections,
            @Nullable String leader,
            boolean faultTolerant,
            CountsOf counts,
            List<NodeOf> nodes) {}

    /** Of the whole service: how many sessions, and claims that wait; of this node: how many entries it applied. */
    record CountsOf(int sessions, long waiters, long entries) {}

    /** A lock, and who had it before. */
    record LockStory(
            String name,
            @Nullable String holder,
            @Nullable String node,
            @Nullable Long fence,
            @Nullable String since,
            List<HolderOf> others,
            List<WaiterOf> waiters,
            List<PastOf> history) {}

    /** @param how released, closed, expired, revoked or transferred */
    record PastOf(String holder, String node, long fence, String since, String until, String how) {}

    record Semaphores(List<SemaphoreOf> semaphores) {}

    /** @param size how many permits there are, null if nobody uses it */
    record SemaphoreOf(
            String name, @Nullable Integer size, int taken, List<PermitsOf> holders, List<WaiterOf> waiters) {}

    record PermitsOf(String holder, String node, int permits, long fence, String since) {}

    /** A ticket of permits. */
    record SemaphoreTicket(
            String ticket,
            String semaphore,
            int permits,
            String client,
            String node,
            String state,
            @Nullable Long fence,
            @Nullable Long lease) {}

    /** A ticket of several locks. */
    record LocksTicket(
            String ticket,
            List<String> locks,
            String client,
            String node,
            String state,
            @Nullable Long fence,
            @Nullable Long lease) {}

    record Sessions(List<SessionOf> sessions) {}

    /** @param lease milliseconds */
    record SessionOf(long session, String client, String node, long lease, List<String> holds, List<String> waits) {}

    record Audits(List<AuditOf> audit) {}

    /** @param effect what came of it */
    record AuditOf(long index, String order, String operator, String reason, String effect, String at) {}

    record Deadlocks(List<CircleOf> deadlocks) {}

    /** Each waits for the next, the last for the first. */
    record CircleOf(List<WaitOf> circle) {}

    record WaitOf(String client, String node, String wants, String holder, String holderNode) {}

    record Members(List<MemberOf> members) {}

    record MemberOf(String name, String address) {}

    /** Who leads the log, as an event of a watch. */
    record LogChange(String node, @Nullable String leader) {}

    /** How a semaphore is. */
    record SemaphoreChange(String name, String node, int taken, List<PermitsOf> holders, List<WaiterOf> waiters) {}
}
