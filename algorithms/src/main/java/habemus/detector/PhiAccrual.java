package habemus.detector;

import habemus.detector.PhiAccrual.Heartbeat;
import habemus.detector.PhiAccrual.State;
import habemus.protocol.FailureDetector;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PeriodicMessage;
import habemus.protocol.Step;
import habemus.protocol.WireTags;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A heartbeat detector that suspects a peer when its silence is improbable, given the gaps between its last heartbeats.
 *
 * <p>The gaps have a mean and a standard deviation. If they are distributed normally, a gap at least as long as the
 * current silence has a probability p. Phi is -log10 p, and the detector suspects the peer when phi reaches the
 * threshold. Threshold 8 means one wrong suspicion in 10⁸ heartbeats. A tick is a quarter of a period, and the standard
 * deviation is at least one tick. A gap that led to a suspicion counts only up to the suspicion; otherwise an outage of
 * hours would cause a timeout of hours.
 *
 * <pre>
 *   ·          ── start ─────▶ Trusting
 *   Trusting   ── TICK ──────▶ Suspecting
 *   Suspecting ── Heartbeat ─▶ Trusting      of the only suspected peer
 * </pre>
 *
 * <p>Costs n-1 messages a node and period. Completeness survives all faults that end. Accuracy assumes that a message
 * takes at most half a period. If messages take longer, the threshold gives the probability of a wrong suspicion,
 * provided that the gaps keep their distribution.
 *
 * @param period the time between two heartbeats
 * @param threshold the phi at which the detector suspects a peer
 * @param window the number of gaps that the detector remembers of each peer
 * @see <a href="https://doi.org/10.1109/RELDIS.2004.1353004">Hayashibara, Défago, Yared, Katayama, SRDS 2004</a>
 */
public record PhiAccrual(Duration period, int threshold, int window) implements FailureDetector<State, Heartbeat> {

    private static final int TICKS_PER_PERIOD = 4;

    public PhiAccrual {
        RoundClock.requireValidPeriod(period);
        if (threshold < 1 || window < 1) {
            throw new IllegalArgumentException(
                    "threshold and window must be at least 1, were " + threshold + " and " + window);
        }
    }

    public record Heartbeat() implements PeriodicMessage {}

    @WireTags({Phase.Suspecting.class, Phase.Trusting.class})
    public sealed interface Phase {
        record Trusting() implements Phase {}

        record Suspecting(NodeSet peers) implements Phase {}
    }

    /**
     * @param silentTicks the number of ticks since its last heartbeat, or until it was suspected
     * @param gaps the last gaps between two heartbeats, in ticks, the newest last
     */
    public record Peer(NodeId id, int silentTicks, List<Integer> gaps) {
        private Peer missed() {
            return new Peer(id, silentTicks + 1, gaps);
        }
    }

    /** @param tick the number of ticks of the current period so far */
    public record State(List<Peer> peers, int tick, Phase phase) {
        private NodeSet suspected() {
            return phase instanceof Phase.Suspecting(var suspects) ? suspects : NodeSet.NONE;
        }

        private State suspecting(NodeSet next) {
            return new State(peers, tick, next.isEmpty() ? new Phase.Trusting() : new Phase.Suspecting(next));
        }
    }

    /** The period is the first gap. */
    @Override
    public Step<State, Heartbeat> start(Neighbourhood neighbourhood) {
        var peers = neighbourhood.peers().toList().stream()
                .map(id -> new Peer(id, 0, List.of(TICKS_PER_PERIOD)))
                .toList();
        return sendHeartbeatIfDue(to(new State(peers, 0, new Phase.Trusting())));
    }

    @Override
    public Step<State, Heartbeat> receive(State s, NodeId from, Heartbeat heartbeat) {
        var peers = s.peers.stream()
                .map(peer -> peer.id.equals(from) ? new Peer(from, 0, withLatestGap(peer)) : peer)
                .toList();
        var step = to(new State(peers, s.tick, s.phase).suspecting(s.suspected().without(from)));
        return s.suspected().contains(from) ? step.restore(from) : step;
    }

    /** Heartbeats in the same tick count as one. */
    private List<Integer> withLatestGap(Peer peer) {
        int skipped = peer.gaps.size() < window ? 0 : 1;
        return peer.silentTicks == 0
                ? peer.gaps
                : Stream.concat(peer.gaps.stream().skip(skipped), Stream.of(peer.silentTicks))
                        .toList();
    }

    @Override
    public Step<State, Heartbeat> timeout(State s, Tick tick) {
        var peers = s.peers.stream()
                .map(peer -> s.suspected().contains(peer.id) ? peer : peer.missed())
                .toList();
        var silent = NodeSet.of(peers.stream()
                .filter(peer -> phi(peer) >= threshold)
                .map(Peer::id)
                .toList());
        var next = new State(peers, (s.tick + 1) % TICKS_PER_PERIOD, s.phase);
        var step = to(next.suspecting(silent.with(s.suspected())));
        for (NodeId suspect : silent.without(s.suspected())) {
            step = step.suspect(suspect);
        }
        return sendHeartbeatIfDue(step);
    }

    private Step<State, Heartbeat> sendHeartbeatIfDue(Step<State, Heartbeat> step) {
        var peers = NodeSet.of(step.state().peers.stream().map(Peer::id).toList());
        var interval = period.dividedBy(TICKS_PER_PERIOD);
        return step.state().tick == 0
                ? step.sendAll(peers, new Heartbeat()).setTimer(Tick.TICK, interval)
                : step.setTimer(Tick.TICK, interval);
    }

    /** Approximates the tail of the normal distribution by a logistic function; equal on every machine. */
    private static double phi(Peer peer) {
        double n = peer.gaps.size();
        double mean = peer.gaps.stream().mapToLong(gap -> gap).sum() / n;
        double squares = peer.gaps.stream().mapToLong(gap -> (long) gap * gap).sum() / n;
        double deviation = Math.max(1, StrictMath.sqrt(squares - mean * mean));
        double y = (peer.silentTicks - mean) / deviation;
        return StrictMath.log10(1 + StrictMath.exp(y * (1.5976 + 0.070566 * y * y)));
    }
}
