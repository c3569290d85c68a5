package habemus.mutex;

import habemus.mutex.RicartAgrawala.Message;
import habemus.mutex.RicartAgrawala.State;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Stamp;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.util.List;

/**
 * A node sends its request to all peers, and enters when all have replied.
 *
 * <p>A request carries a Lamport timestamp. A node replies at once, unless it holds the lock or waits with an older
 * timestamp: then it replies at its release.
 *
 * <pre>
 *   ·       ── start ───▶ Idle
 *   Idle    ── acquire ─▶ Waiting, Holding     Holding: there are no peers
 *   Waiting ── Reply ───▶ Holding     the last missing one
 *   Holding ── release ─▶ Idle
 * </pre>
 *
 * <p>Costs 2(n-1) messages an entry. Survives delays and pauses, no crash. Assumes that every message arrives exactly
 * once, in any order. On FIFO links each other node enters at most twice while a node waits.
 *
 * @see <a href="https://doi.org/10.1145/358527.358537">Ricart and Agrawala, CACM 24(1), 1981</a>
 */
public class RicartAgrawala implements Mutex<State, Message> {

    @WireTags({Message.Reply.class, Message.Request.class})
    public sealed interface Message {
        record Request(Stamp stamp) implements Message {}

        /** @param clock of the sender; zero in the published algorithm, whose replies carry no clock */
        record Reply(long clock) implements Message {}
    }

    @WireTags({Phase.Holding.class, Phase.Idle.class, Phase.Waiting.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        /** @param silent the peers that have not replied yet */
        record Waiting(Stamp mine, NodeSet silent) implements Phase {}

        record Holding(Stamp mine) implements Phase {}
    }

    /** @param deferred the peers that get our reply at our release */
    public record State(NodeId self, NodeSet peers, long clock, Phase phase, NodeSet deferred) {
        private State at(long time) {
            return new State(self, peers, Math.max(clock, time), phase, deferred);
        }

        private State in(Phase next) {
            return new State(self, peers, clock, next, deferred);
        }

        private State deferring(NodeSet next) {
            return new State(self, peers, clock, phase, next);
        }
    }

    private final boolean clockedReplies;
    private final List<Long> clocks;

    /**
     * @param clockedReplies whether a Reply carries the clock of its sender
     * @param clocks the initial clocks of n1, n2 …; zero for nodes that are not listed
     */
    public RicartAgrawala(boolean clockedReplies, List<Long> clocks) {
        this.clockedReplies = clockedReplies;
        this.clocks = List.copyOf(clocks);
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        int number = neighbourhood.self().number();
        long clock = number <= clocks.size() ? clocks.get(number - 1) : 0;
        return to(new State(neighbourhood.self(), neighbourhood.peers(), clock, new Phase.Idle(), NodeSet.NONE));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Idle, "acquire", s);
        var mine = new Stamp(s.clock + 1, s.self);
        var waiting = s.at(mine.time()).in(new Phase.Waiting(mine, s.peers));
        return enterIfAnswered(waiting).sendAll(s.peers, new Message.Request(mine));
    }

    @Override
    public Step<State, Message> release(State s) {
        ProtocolBug.unless(s.phase instanceof Phase.Holding, "release", s);
        return to(s.in(new Phase.Idle()).deferring(NodeSet.NONE)).sendAll(s.deferred, reply(s));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Request(var theirs) -> answer(s.at(theirs.time()), from, theirs);
            case Message.Reply(var clock) -> count(s.at(clock), from);
        };
    }

    private Step<State, Message> answer(State s, NodeId from, Stamp theirs) {
        boolean meFirst = switch (s.phase) {
            case Phase.Idle() -> false;
            case Phase.Waiting(var mine, var silent) -> goesFirst(mine, theirs);
            case Phase.Holding(var mine) -> true;
        };
        return meFirst ? to(s.deferring(s.deferred.with(from))) : to(s).send(from, reply(s));
    }

    /** Whether our request precedes theirs: the older one does, and of two with equal times that of the lower node. */
    protected boolean goesFirst(Stamp mine, Stamp theirs) {
        return mine.isBefore(theirs);
    }

    private Message reply(State s) {
        return new Message.Reply(clockedReplies ? s.clock : 0);
    }

    private Step<State, Message> count(State s, NodeId from) {
        if (!(s.phase instanceof Phase.Waiting(var mine, var silent) && silent.contains(from))) {
            throw new ProtocolBug("Reply from " + from, s);
        }
        return enterIfAnswered(s.in(new Phase.Waiting(mine, silent.without(from))));
    }

    private Step<State, Message> enterIfAnswered(State s) {
        return s.phase instanceof Phase.Waiting(var mine, var silent) && silent.isEmpty()
                ? to(s.in(new Phase.Holding(mine))).grant(mine.asFence())
                : to(s);
    }
}
