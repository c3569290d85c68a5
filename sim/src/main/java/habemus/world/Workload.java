package habemus.world;

import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the applications want: to get in, or an election.
 *
 * @param requests who asks, and when first
 * @param entries how often each caller asks, in a loop; an election is asked for that often too
 * @param thinkTime how long a caller waits at most before it asks again
 * @param holdTime how long a node stays inside
 * @param chatter whether applications also talk to each other, which makes one request happen before another
 * @param writing whether a node writes to the resource that the lock is for, as the last thing before it leaves
 */
public record Workload(
        List<Request> requests, int entries, Duration thinkTime, Duration holdTime, Chatter chatter, Writing writing) {

    public record Request(NodeId node, Duration at) {
        public Request {
            if (at.isNegative()) {
                throw new IllegalArgumentException("nobody asks before the beginning: " + at);
            }
        }
    }

    /** Who has asked tells a neighbour, which then asks too if it was going to. */
    public enum Chatter {
        NONE,
        /** On links of their own. */
        SEPARATE_LINKS,
        /** On the links of the algorithm, in order with its messages. */
        SHARED_LINKS
    }

    /** To what: see {@link ProtectedResource}. */
    public enum Writing {
        NONE,
        /** To one that accepts everything. */
        PLAIN,
        /** To one that refuses old fences. */
        FENCED
    }

    public Workload {
        requests = List.copyOf(requests);
        if (entries < 1) {
            throw new IllegalArgumentException("a caller asks at least once, not " + entries + " times");
        }
        if (thinkTime.isNegative() || holdTime.isNegative()) {
            throw new IllegalArgumentException("nobody thinks or stays inside for a negative time");
        }
    }

    /** Each of these asks once, at the start, and stays inside for five milliseconds. */
    public static Workload once(List<NodeId> nodes) {
        var requests = new ArrayList<Request>();
        nodes.forEach(node -> requests.add(new Request(node, Duration.ZERO)));
        return new Workload(requests, 1, Duration.ZERO, Duration.ofMillis(5), Chatter.NONE, Writing.NONE);
    }

    public Workload withRequests(List<Request> next) {
        return new Workload(next, entries, thinkTime, holdTime, chatter, writing);
    }

    public Workload withEntries(int times) {
        return new Workload(requests, times, thinkTime, holdTime, chatter, writing);
    }

    public Workload withThinkTime(Duration atMost) {
        return new Workload(requests, entries, atMost, holdTime, chatter, writing);
    }

    public Workload withHoldTime(Duration time) {
        return new Workload(requests, entries, thinkTime, time, chatter, writing);
    }

    public Workload withChatter(Chatter next) {
        return new Workload(requests, entries, thinkTime, holdTime, next, writing);
    }

    public Workload withWriting(Writing next) {
        return new Workload(requests, entries, thinkTime, holdTime, chatter, next);
    }
}
