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
     * @param lease milliseconds that are left of it
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
            long lease) {}

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
}
