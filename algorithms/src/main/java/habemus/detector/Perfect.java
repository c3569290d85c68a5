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
 * A heartbeat detector with a fixed timeout, which no heartbeat of a live node can exceed.
 *
 * <p>A node reads no clock: it counts its own ticks, one per period. After k ticks without a heartbeat a peer has been
 * silent for more than k-1 periods. The detector suspects it when k-1 periods reach the timeout.
 *
 * <pre>
 *   ·          ── start ─────▶ Trusting
 *   Trusting   ── TICK ──────▶ Suspecting
 *   Suspecting ── Heartbeat ─▶ Trusting      of the only suspected peer
 * </pre>
 *
 * <p>Costs n-1 messages a node and period. Survives crashes, restarts with or without durable state, reordering and
 * duplication. Assumes that a message takes less than the timeout minus a period. Each message that takes longer may
 * cause a wrong suspicion.
 *
 * @param period the time between two heartbeats
 * @param timeout longer than a period plus the maximum delay of a message
 * @see <a href="https://doi.org/10.1145/226643.226647">Chandra, Toueg, JACM 43(2), 1996: the class P</a>
 */
public record Perfect(Duration period, Duration timeout) implements FailureDetector<State, Heartbeat> {

    public Perfect {
        RoundClock.requireValidPeriod(period);
        if (timeout.compareTo(period) < 0) {
            throw new IllegalArgumentException("the timeout must be at least the period between two heartbeats, "
                    + period.toMillis() + " ms, was " + timeout.toMillis() + " ms");
        }
    }

    public record Heartbeat() implements PeriodicMessage {}

    @WireTags({Phase.Suspecting.class, Phase.Trusting.class})
    public sealed interface Phase {
        record Trusting() implements Phase {}

        record Suspecting(NodeSet peers) implements Phase {}
    }

    /** @param silentTicks the number of ticks since its last heartbeat, at most the timeout */
    public record Peer(NodeId id, int silentTicks) {}

    public record State(List<Peer> peers, Phase phase) {
        private NodeSet suspected() {
            return phase instanceof Phase.Suspecting(var suspects) ? suspects : NodeSet.NONE;
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
        var step = to(new State(peers, s.phase).suspecting(s.suspected().without(from)));
        return s.suspected().contains(from) ? step.restore(from) : step;
    }

    @Override
    public Step<State, Heartbeat> timeout(State s, Tick tick) {
        var peers = s.peers.stream()
                .map(peer -> new Peer(peer.id, Math.min(peer.silentTicks + 1, timeoutTicks())))
                .toList();
        var silent = NodeSet.NONE;
        for (Peer peer : peers) {
            silent = peer.silentTicks == timeoutTicks() ? silent.with(peer.id) : silent;
        }
        var step = to(new State(peers, s.phase).suspecting(silent));
        for (NodeId suspect : silent.without(s.suspected())) {
            step = step.suspect(suspect);
        }
        return sendHeartbeats(step);
    }

    private int timeoutTicks() {
        return RoundClock.periodsIn(timeout, period) + 1; // k ticks span k-1 periods
    }

    private Step<State, Heartbeat> sendHeartbeats(Step<State, Heartbeat> step) {
        var peers = step.state().peers.stream().map(Peer::id).toList();
        return step.sendAll(NodeSet.of(peers), new Heartbeat()).setTimer(Tick.TICK, period);
    }
}
