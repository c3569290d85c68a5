package habemus.mutex;

import habemus.mutex.Maekawa.Message;
import habemus.mutex.Maekawa.State;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.util.List;
import java.util.stream.Stream;

/**
 * A node enters with the votes of all nodes in its voting set. A voter has one vote, and any two sets share a voter.
 *
 * <p>A voter queues the requests and votes for the first. A node that has all votes of its set enters, and returns them
 * with its Release. A Vote carries the highest fence that the voter knows, so fences grow.
 *
 * <pre>
 *   ·       ── start ───▶ Idle
 *   Idle    ── acquire ─▶ Waiting
 *   Waiting ── Vote ────▶ Holding     the last missing one
 *   Holding ── release ─▶ Idle
 * </pre>
 *
 * <p>Costs 3(k-1) messages an entry with sets of k nodes; the smallest k is about √n. <strong>Deadlocks:</strong> three
 * nodes may have one vote each and wait in a cycle for the others; {@link MaekawaDeadlockFree} takes votes back.
 * Survives delays and pauses, no crash. Assumes that every message arrives exactly once, in any order.
 *
 * @see <a href="https://doi.org/10.1145/214438.214445">Maekawa, TOCS 3(2), 1985</a>
 */
public record Maekawa(VotingSets sets) implements Mutex<State, Message> {

    @WireTags({Message.Release.class, Message.Request.class, Message.Vote.class})
    public sealed interface Message {
        record Request() implements Message {}

        record Vote(long fence) implements Message {}

        record Release(long fence) implements Message {}
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Waiting.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        /**
         * @param missing the voters whose votes are missing
         * @param fence the highest fence in the votes so far
         */
        record Waiting(NodeSet missing, long fence) implements Phase {}

        record Holding(long fence) implements Phase {}
    }

    /**
     * @param queue the nodes that requested our vote; the first one has it
     * @param fence the highest fence that a Release brought
     */
    public record State(NodeSet voters, Phase phase, List<NodeId> queue, long fence) {
        private State in(Phase next) {
            return new State(voters, next, queue, fence);
        }

        private State withWaiter(NodeId node) {
            return new State(
                    voters,
                    phase,
                    Stream.concat(queue.stream(), Stream.of(node)).toList(),
                    fence);
        }

        private State withoutFirst(long itsFence) {
            return new State(voters, phase, queue.stream().skip(1).toList(), Math.max(fence, itsFence));
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(sets.of(neighbourhood), new Phase.Idle(), List.of(), 0));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Idle, "acquire", s);
        return to(s.in(new Phase.Waiting(s.voters, 0))).sendAll(s.voters, new Message.Request());
    }

    @Override
    public Step<State, Message> release(State s) {
        if (!(s.phase instanceof Phase.Holding(var fence))) {
            throw new ProtocolBug("release", s);
        }
        return to(s.in(new Phase.Idle())).sendAll(s.voters, new Message.Release(fence));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Request() -> s.queue.isEmpty() ? voteForFirst(s.withWaiter(from)) : to(s.withWaiter(from));
            case Message.Release(var fence) -> voteForFirst(s.withoutFirst(fence));
            case Message.Vote(var fence) -> count(s, from, fence);
        };
    }

    private Step<State, Message> voteForFirst(State s) {
        return s.queue.isEmpty() ? to(s) : to(s).send(s.queue.getFirst(), new Message.Vote(s.fence));
    }

    private Step<State, Message> count(State s, NodeId from, long theirs) {
        if (!(s.phase instanceof Phase.Waiting(var missing, var highest) && missing.contains(from))) {
            throw new ProtocolBug("Vote from " + from, s);
        }
        var stillMissing = missing.without(from);
        long fence = Math.max(highest, theirs);
        return stillMissing.isEmpty()
                ? to(s.in(new Phase.Holding(fence + 1))).grant(fence + 1)
                : to(s.in(new Phase.Waiting(stillMissing, fence)));
    }
}
