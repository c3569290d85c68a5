package habemus.check;

import habemus.check.TlaLamport.Message;
import habemus.check.TlaLamport.State;
import habemus.check.TlaLamport.Timer;
import habemus.check.model.CheckReport;
import habemus.check.model.Scope;
import habemus.protocol.Mutex;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.world.Topology;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Lamport's mutual exclusion, action by action as in the TLA+ module {@code LamportMutex} (Stephan Merz) of the
 * repository {@code tlaplus/Examples}, whose states TLC has counted. It follows the module where the algorithm of the
 * catalogue does not:
 *
 * <ul>
 *   <li>Request, ReceiveRequest, ReceiveAck, Enter, Exit, ReceiveRelease are one step each. So Enter is a timer that is
 *       set exactly while the guard of the module is true; it may fire at any time.
 *   <li>Enter stays possible for the holder, and changes nothing then: TLC counts such a step, and so do we.
 *   <li>No node sends to itself: a requesting node has acknowledged itself at once.
 *   <li>Clocks begin at 1, a request carries the clock and does not move it, Ack and Release carry none, and only
 *       receiving a request moves the clock.
 *   <li>Requests and releases go on forever; states with a clock above the bound are visited but not expanded. TLC
 *       does not count those among its distinct states, and neither does {@link CheckReport#states}.
 * </ul>
 */
public final class TlaLamport implements Mutex<State, Message>, Timed<State, Message, Timer> {

    public sealed interface Message {
        record Req(long clock) implements Message {}

        record Ack() implements Message {}

        record Rel() implements Message {}
    }

    public enum Timer {
        ENTER
    }

    /** @param req the clock of the request of each node, by number; zero if it has none */
    public record State(NodeId self, NodeSet peers, long clock, List<Long> req, NodeSet ack, boolean crit) {
        private State at(long next) {
            return new State(self, peers, next, req, ack, crit);
        }

        private State requesting(NodeId node, long time) {
            var next = new ArrayList<>(req);
            next.set(node.number(), time);
            return new State(self, peers, clock, List.copyOf(next), ack, crit);
        }

        private State acknowledged(NodeSet next) {
            return new State(self, peers, clock, req, next, crit);
        }

        private State inside(boolean next) {
            return new State(self, peers, clock, req, ack, next);
        }

        private boolean beats(NodeId other) {
            long mine = req.get(self.number());
            long theirs = req.get(other.number());
            return theirs == 0 || mine < theirs || mine == theirs && other.isAbove(self);
        }

        private boolean mayEnter() {
            boolean first = ack.equals(peers.with(self));
            for (NodeId peer : peers) {
                first &= beats(peer);
            }
            return first;
        }
    }

    /** Requests without limit, clocks up to a bound. */
    public static Scope scope(int nodes, long latest) {
        var bound = new Scope.Bound(
                "clocks up to " + latest, state -> state instanceof State lamport && lamport.clock <= latest);
        return Scope.of(Topology.complete(nodes))
                .withRequestsPerNode(Scope.UNBOUNDED)
                .withBound(bound);
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        var none = Collections.nCopies(neighbourhood.neighbours().size() + 2, 0L);
        return to(new State(neighbourhood.self(), neighbourhood.peers(), 1, List.copyOf(none), NodeSet.NONE, false));
    }

    @Override
    public Step<State, Message> acquire(State s) {
        var asking = s.requesting(s.self, s.clock).acknowledged(NodeSet.of(s.self));
        return ready(to(asking).sendAll(s.peers, new Message.Req(s.clock)));
    }

    @Override
    public Step<State, Message> release(State s) {
        var left = s.inside(false).requesting(s.self, 0).acknowledged(NodeSet.NONE);
        return ready(to(left).sendAll(s.peers, new Message.Rel()));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return ready(
                switch (message) {
                    case Message.Req(var theirs) ->
                        to(s.requesting(from, theirs).at(Math.max(s.clock, theirs) + 1))
                                .send(from, new Message.Ack());
                    case Message.Ack() -> to(s.acknowledged(s.ack.with(from)));
                    case Message.Rel() -> to(s.requesting(from, 0));
                });
    }

    @Override
    public Step<State, Message> timeout(State s, Timer timer) {
        return ready(s.crit ? to(s) : to(s.inside(true)).grant(s.req.get(s.self.number())));
    }

    private Step<State, Message> ready(Step<State, Message> step) {
        return step.state().mayEnter() ? step.setTimer(Timer.ENTER, Duration.ZERO) : step.cancelTimer(Timer.ENTER);
    }
}
