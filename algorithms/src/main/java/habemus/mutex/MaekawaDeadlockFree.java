package habemus.mutex;

import habemus.mutex.MaekawaDeadlockFree.Message;
import habemus.mutex.MaekawaDeadlockFree.State;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Stamp;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.util.List;
import java.util.stream.Stream;

/**
 * {@link Maekawa} without deadlock: a voter asks for its vote back when an older request arrives.
 *
 * <p>Requests carry Lamport timestamps. A voter sends Failed to every request that is not the oldest. If it has voted
 * for a younger request than the new one, it sends an Inquire to that node. A node that has got a Failed answers with
 * Yield: it returns the vote and is queued again. The fence is the clock at the entry; Release returns it to the
 * voters.
 *
 * <pre>
 *   ·       ── start ───▶ Idle
 *   Idle    ── acquire ─▶ Waiting
 *   Waiting ── Vote ────▶ Holding     the last missing one
 *   Holding ── release ─▶ Idle
 * </pre>
 *
 * <p>Costs from 3(k-1) to 6(k-1) messages an entry with sets of k nodes. Survives delays and pauses, no crash. Assumes
 * that every message arrives exactly once, and that each link delivers in FIFO order.
 *
 * @see <a href="https://doi.org/10.1145/214438.214445">Maekawa, TOCS 3(2), 1985</a>
 * @see <a href="https://doi.org/10.1145/24068.24070">Sanders, TOCS 5(3), 1987, on which nodes must get a Failed</a>
 */
public record MaekawaDeadlockFree(VotingSets sets) implements Mutex<State, Message> {

    @WireTags({
        Message.Failed.class,
        Message.Inquire.class,
        Message.Release.class,
        Message.Request.class,
        Message.Vote.class,
        Message.Yield.class
    })
    public sealed interface Message {
        record Request(Stamp stamp) implements Message {}

        record Vote(long clock) implements Message {}

        record Failed() implements Message {}

        record Inquire(Stamp stamp) implements Message {}

        record Yield() implements Message {}

        record Release(long clock) implements Message {}
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Waiting.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        /**
         * @param failed the voters that prefer another request
         * @param inquired the voters that ask for their vote back
         */
        record Waiting(Stamp mine, NodeSet missing, NodeSet failed, NodeSet inquired) implements Phase {}

        record Holding() implements Phase {}
    }

    @WireTags({Ballot.Free.class, Ballot.Given.class})
    public sealed interface Ballot {
        record Free() implements Ballot {}

        record Given(Stamp to, boolean inquired) implements Ballot {}
    }

    /** @param queue the requests that wait for our vote, oldest first, without the one that has it */
    public record State(NodeId self, NodeSet voters, long clock, Phase phase, Ballot ballot, List<Stamp> queue) {
        private State in(Phase next) {
            return new State(self, voters, clock, next, ballot, queue);
        }

        private State at(long time) {
            return new State(self, voters, Math.max(clock, time), phase, ballot, queue);
        }

        private State voting(Ballot next, List<Stamp> waiting) {
            return new State(self, voters, clock, phase, next, waiting);
        }
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(
                neighbourhood.self(), sets.of(neighbourhood), 0, new Phase.Idle(), new Ballot.Free(), List.of()));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Idle, "acquire", s);
        var mine = new Stamp(s.clock + 1, s.self);
        return to(s.at(mine.time()).in(new Phase.Waiting(mine, s.voters, NodeSet.NONE, NodeSet.NONE)))
                .sendAll(s.voters, new Message.Request(mine));
    }

    @Override
    public Step<State, Message> release(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Holding, "release", s);
        return to(s.in(new Phase.Idle())).sendAll(s.voters, new Message.Release(s.clock));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Request(var theirs) -> consider(s.at(theirs.time()), theirs);
            case Message.Release(var clock) -> voteForOldest(s.at(clock), s.queue);
            case Message.Yield()
            when s.ballot instanceof Ballot.Given given -> voteForOldest(s, with(s.queue, given.to));
            case Message.Vote(var clock) when s.phase instanceof Phase.Waiting w -> count(s.at(clock), w, from);
            case Message.Failed()
            when s.phase instanceof Phase.Waiting w -> yieldIfHopeless(s, w, w.failed.with(from), w.inquired);
            case Message.Inquire(var stamp)
            when s.phase instanceof Phase.Waiting w && w.mine.equals(stamp) ->
                yieldIfHopeless(s, w, w.failed, w.inquired.with(from));
            case Message.Inquire late -> to(s); // our Release answers it
            case Message.Yield unexpected -> throw new ProtocolBug("Yield from " + from, s);
            case Message.Vote unexpected -> throw new ProtocolBug("Vote from " + from, s);
            case Message.Failed unexpected -> throw new ProtocolBug("Failed from " + from, s);
        };
    }

    private Step<State, Message> consider(State s, Stamp theirs) {
        if (!(s.ballot instanceof Ballot.Given(var holder, var inquired))) {
            return voteForOldest(s, with(s.queue, theirs));
        }
        boolean isOldest = theirs.isBefore(holder) && s.queue.stream().allMatch(theirs::isBefore);
        var next = to(s.voting(new Ballot.Given(holder, inquired || isOldest), with(s.queue, theirs)));
        if (!isOldest) {
            return next.send(theirs.node(), new Message.Failed());
        }
        return inquired // for the first in the queue, which is no longer the oldest: Sanders' correction
                ? next.send(s.queue.getFirst().node(), new Message.Failed())
                : next.send(holder.node(), new Message.Inquire(holder));
    }

    private Step<State, Message> voteForOldest(State s, List<Stamp> queue) {
        if (queue.isEmpty()) {
            return to(s.voting(new Ballot.Free(), queue));
        }
        var oldest = queue.getFirst();
        return to(s.voting(new Ballot.Given(oldest, false), queue.subList(1, queue.size())))
                .send(oldest.node(), new Message.Vote(s.clock));
    }

    private Step<State, Message> count(State s, Phase.Waiting w, NodeId from) {
        var missing = w.missing.without(from);
        return missing.isEmpty()
                ? to(s.at(s.clock + 1).in(new Phase.Holding())).grant(s.clock + 1)
                : to(s.in(new Phase.Waiting(w.mine, missing, w.failed.without(from), w.inquired)));
    }

    private Step<State, Message> yieldIfHopeless(State s, Phase.Waiting w, NodeSet failed, NodeSet inquired) {
        return failed.isEmpty()
                ? to(s.in(new Phase.Waiting(w.mine, w.missing, failed, inquired)))
                : to(s.in(new Phase.Waiting(w.mine, w.missing.with(inquired), failed.with(inquired), NodeSet.NONE)))
                        .sendAll(inquired, new Message.Yield());
    }

    private static List<Stamp> with(List<Stamp> queue, Stamp request) {
        return Stream.concat(queue.stream(), Stream.of(request)).sorted().toList();
    }
}
