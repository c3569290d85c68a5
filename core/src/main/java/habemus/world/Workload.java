package habemus.world;

import habemus.protocol.NodeId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What the applications want: to get in, or an election.
 *
 * @param calls who asks, and when first
 * @param entries how often each caller asks, in a loop; an election is asked for that often too
 * @param think how long a caller waits at most before it asks again
 * @param hold how long a node stays inside
 * @param chatter whether applications also talk to each other, which makes one request happen before another
 * @param writing whether a node writes to the resource that the lock is for, as the last thing before it leaves
 */
public record Workload(List<Call> calls, int entries, Duration think, Duration hold, Chatter chatter, Writing writing) {

    public record Call(NodeId node, Duration at) {
        public Call {
            if (at.isNegative()) {
                throw new IllegalArgumentException("nobody asks before the beginning: " + at);
            }
        }
    }

    /** Who has asked tells a neighbour, which then asks too if it was going to. */
    public enum Chatter {
        NONE,
        /** On links of their own. */
        APART,
        /** On the links of the algorithm, in order with its messages. */
        SHARED
    }

    /** To what: see {@link Resource}. */
    public enum Writing {
        NONE,
        /** To one that accepts everything. */
        PLAIN,
        /** To one that refuses old fences. */
        FENCED
    }

    public Workload {
        calls = List.copyOf(calls);
        if (entries < 1) {
            throw new IllegalArgumentException("a caller asks at least once, not " + entries + " times");
        }
        if (think.isNegative() || hold.isNegative()) {
            throw new IllegalArgumentException("nobody thinks or stays inside for a negative time");
        }
    }

    /** Each of these asks once, at the start, and stays inside for five milliseconds. */
    public static Workload once(List<NodeId> nodes) {
        var calls = new ArrayList<Call>();
        nodes.forEach(node -> calls.add(new Call(node, Duration.ZERO)));
        return new Workload(calls, 1, Duration.ZERO, Duration.ofMillis(5), Chatter.NONE, Writing.NONE);
    }

    public Workload calling(List<Call> next) {
        return new Workload(next, entries, think, hold, chatter, writing);
    }

    public Workload entering(int times) {
        return new Workload(calls, times, think, hold, chatter, writing);
    }

    public Workload thinking(Duration atMost) {
        return new Workload(calls, entries, atMost, hold, chatter, writing);
    }

    public Workload holding(Duration time) {
        return new Workload(calls, entries, think, time, chatter, writing);
    }

    public Workload chatting(Chatter next) {
        return new Workload(calls, entries, think, hold, next, writing);
    }

    public Workload writing(Writing next) {
        return new Workload(calls, entries, think, hold, chatter, next);
    }
}
