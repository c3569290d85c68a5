package habemus.detector;

import habemus.detector.Perfect.Heartbeat;
import habemus.detector.Perfect.State;
import habemus.protocol.FailureDetector;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PeriodicMessage;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;

/**
 * Say every period that you live; suspect whoever was not heard for as long as a heartbeat can possibly take.
 *
 * <p>Nobody reads a clock: a node counts its own beats. After k beats without a word a peer has been silent for more
 * than k-1 periods, so it is suspected once that is the timeout.
 *
 * <pre>
 *   ·          ── start ─────▶ Trusting
 *   Trusting   ── BEAT ──────▶ Suspecting
 *   Suspecting ── Heartbeat ─▶ Trusting      of the only one suspected
 * </pre>
 *
 * <p>Costs n-1 messages a node and period. Survives crashes and returns, with or without memory, and messages
 * that overtake each other or arrive twice. Assumes that a message takes less than the timeout without a period; where
 * one takes longer, somebody is suspected who lives, and if it happens again and again, so does the mistake.
 *
 * @param period from one heartbeat to the next
 * @param timeout longer than a period and the slowest message together
 * @see <a href="https://doi.org/10.1145/226643.226647">Chandra, Toueg, JACM 43(2), 1996: the class P</a>
 */
public record Perfect(Duration period, Duration timeout) implements FailureDetector<State, Heartbeat> {

    public Perfect {
        RoundClock.requireValidPeriod(period);
        if (timeout.compareTo(period) < 0) {
            throw new IllegalArgumentException("a timeout is no shorter than the period between two heartbeats");
        }
    }

    public record Heartbeat() implements PeriodicMessage {}

    @WireTags({Phase.Suspecting.class, Phase.Trusting.class})
    public sealed interface Phase {
        record Trusting() implements Phase {}

        record Suspecting(NodeSet peers) implements Phase {}
    }

    /** @param silentTicks for how many of our beats we have not heard from it */
    public record Peer(NodeId id, int silentTicks) {}

    public record State(List<Peer> peers, Phase phase) {
        private NodeSet suspected() {
            return phase instanceof Phase.Suspecting(var some) ? some : NodeSet.NONE;
        }

        private State suspecting(NodeSet next) {
            return new State(peers, next.isEmpty() ? new Phase.Trusting() : new Phase.Suspecting(next));
        }
    }

    @Override
    public Step<State, Heartbeat> start(Neighbourhood neighbourhood) {
        var peers = neighbourhood.peers().toList().stream()
                .map(id -> new Peer(id, 0))
                .toList();
        return sendHeartbeats(to(new State(peers, new Phase.Trusting())));
    }

    @Override
    public Step<State, Heartbeat> receive(State s, NodeId from, Heartbeat heartbeat) {
        var peers = s.peers.stream()
                .map(peer -> peer.id.equals(from) ? new Peer(from, 0) : peer)
                .toList();
        var heard = to(new State(peers, s.phase).suspecting(s.suspected().without(from)));
        return s.suspected().contains(from) ? heard.restore(from) : heard;
    }

    @Override
    public Step<State, Heartbeat> timeout(State s, Tick beat) {
        var peers = s.peers.stream()
                .map(peer -> new Peer(peer.id, Math.min(peer.silentTicks + 1, timeoutTicks())))
                .toList();
        var silent = NodeSet.NONE;
        for (Peer peer : peers) {
            silent = peer.silentTicks == timeoutTicks() ? silent.with(peer.id) : silent;
        }
        var step = to(new State(peers, s.phase).suspecting(silent));
        for (NodeId news : silent.without(s.suspected())) {
            step = step.suspect(news);
        }
        return sendHeartbeats(step);
    }

    private int timeoutTicks() {
        return RoundClock.periodsIn(timeout, period) + 1; // so many beats span one period less
    }

    private Step<State, Heartbeat> sendHeartbeats(Step<State, Heartbeat> step) {
        var peers = step.state().peers.stream().map(Peer::id).toList();
        return step.sendAll(NodeSet.of(peers), new Heartbeat()).setTimer(Tick.TICK, period);
    }
}
