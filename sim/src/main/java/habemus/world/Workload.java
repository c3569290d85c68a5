package habemus.world;

import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the applications do: request the lock, or an election.
 *
 * @param requests the requesting nodes and the times of their first requests
 * @param entries the number of requests that each of them makes, one after the other
 * @param thinkTime the longest time between an exit and the next request
 * @param holdTime the time that a node holds the lock
 * @param chatter whether applications send messages to each other, so that one request happens before another
 * @param writing whether a holder writes to the protected resource, as its last action before the release
 * @param mix what the requests to a replicated log are
 * @param furtherRequests single requests besides these; a node that waits or holds the lock makes its own afterwards
 */
public record Workload(
        List<Request> requests,
        int entries,
        Duration thinkTime,
        Duration holdTime,
        Chatter chatter,
        Writing writing,
        LogCallMix mix,
        List<Request> furtherRequests) {

    public record Request(NodeId node, Duration at) {
        public Request {
            if (at.isNegative()) {
                throw new IllegalArgumentException("time of a request must not be negative, was " + at);
            }
        }
    }

    /**
     * Messages between applications. An application that makes a request informs a neighbour, which then makes its own
     * request at once if it still has one to make.
     */
    public enum Chatter {
        NONE,
        /** On separate links. */
        SEPARATE_LINKS,
        /** On the links of the algorithm, in order with the algorithm's messages. */
        SHARED_LINKS
    }

    /** Whether holders write to a {@link ProtectedResource}. */
    public enum Writing {
        NONE,
        /** To a resource that accepts every write. */
        PLAIN,
        /** To a resource that refuses old fences. */
        FENCED
    }

    /** What share of the calls to a replicated log is of each kind, in percent. The others are proposals. */
    public record LogCallMix(int reads, int snapshots, int memberChanges, int transfers) {

        public static final LogCallMix PROPOSALS = new LogCallMix(0, 0, 0, 0);

        public LogCallMix {
            if (Math.min(Math.min(reads, snapshots), Math.min(memberChanges, transfers)) < 0
                    || reads + snapshots + memberChanges + transfers > 100) {
                throw new IllegalArgumentException("shares of calls must add up to at most 100 %, were " + reads + ", "
                        + snapshots + ", " + memberChanges + ", " + transfers);
            }
        }
    }

    public Workload {
        requests = List.copyOf(requests);
        furtherRequests = List.copyOf(furtherRequests);
        if (entries < 1) {
            throw new IllegalArgumentException("entries must be at least 1, was " + entries);
        }
        if (thinkTime.isNegative() || holdTime.isNegative()) {
            throw new IllegalArgumentException(
                    "think time and hold time must not be negative, were " + thinkTime + " and " + holdTime);
        }
    }

    /** Each of these nodes makes one request at the start and holds the lock for five milliseconds. */
    public static Workload once(List<NodeId> nodes) {
        var requests = new ArrayList<Request>();
        nodes.forEach(node -> requests.add(new Request(node, Duration.ZERO)));
        return new Workload(
                requests,
                1,
                Duration.ZERO,
                Duration.ofMillis(5),
                Chatter.NONE,
                Writing.NONE,
                LogCallMix.PROPOSALS,
                List.of());
    }

    public Workload withRequests(List<Request> next) {
        return new Workload(next, entries, thinkTime, holdTime, chatter, writing, mix, furtherRequests);
    }

    public Workload withEntries(int times) {
        return new Workload(requests, times, thinkTime, holdTime, chatter, writing, mix, furtherRequests);
    }

    public Workload withThinkTime(Duration atMost) {
        return new Workload(requests, entries, atMost, holdTime, chatter, writing, mix, furtherRequests);
    }

    public Workload withHoldTime(Duration time) {
        return new Workload(requests, entries, thinkTime, time, chatter, writing, mix, furtherRequests);
    }

    public Workload withChatter(Chatter next) {
        return new Workload(requests, entries, thinkTime, holdTime, next, writing, mix, furtherRequests);
    }

    public Workload withWriting(Writing next) {
        return new Workload(requests, entries, thinkTime, holdTime, chatter, next, mix, furtherRequests);
    }

    public Workload withMix(LogCallMix next) {
        return new Workload(requests, entries, thinkTime, holdTime, chatter, writing, next, furtherRequests);
    }

    public Workload withFurtherRequests(List<Request> next) {
        return new Workload(requests, entries, thinkTime, holdTime, chatter, writing, mix, next);
    }
}
