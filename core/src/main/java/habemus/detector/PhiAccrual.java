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
 * Suspect whoever is silent for so long that, going by its last heartbeats, it is unlikely to be only late.
 *
 * <p>The gaps between a peer's last heartbeats have a mean and a spread. If gaps are distributed normally, a silence
 * as long as this one has some probability p; phi is -log10 p, and a peer is suspected once phi reaches the threshold.
 * With threshold 8 that is a mistake in 10⁸ heartbeats. Time is counted in quarters of a period; a spread of less than
 * one of them cannot be seen, and counts as one. A gap in which the peer was suspected counts only up to the
 * suspicion, so that nobody waits for hours because of an outage of hours.
 *
 * <pre>
 *   ·          ── start ─────▶ Trusting
 *   Trusting   ── BEAT ──────▶ Suspecting
 *   Suspecting ── Heartbeat ─▶ Trusting      of the only one suspected
 * </pre>
 *
 * <p>Costs n-1 messages a node and period. Survives anything that comes to an end, as far as completeness goes.
 * Assumes, to be right about the living, that a message takes at most half a period; else it is right as often as the
 * threshold says, if the future is like the past.
 *
 * @param period from one heartbeat to the next
 * @param threshold at what phi a peer is suspected
 * @param window how many gaps are remembered of each peer
 * @see <a href="https://doi.org/10.1109/RELDIS.2004.1353004">Hayashibara, Défago, Yared, Katayama, SRDS 2004</a>
 */
public record PhiAccrual(Duration period, int threshold, int window) implements FailureDetector<State, Heartbeat> {

    private static final int TICKS_PER_PERIOD = 4;

    public PhiAccrual {
        RoundClock.requireValidPeriod(period);
        if (threshold < 1 || window < 1) {
            throw new IllegalArgumentException("a threshold is at least 1, and a window has room for at least one gap");
        }
    }

    public record Heartbeat() implements PeriodicMessage {}

    @WireTags({Phase.Suspecting.class, Phase.Trusting.class})
    public sealed interface Phase {
        record Trusting() implements Phase {}

        record Suspecting(NodeSet peers) implements Phase {}
    }

    /**
     * @param silentTicks for how many quarters of a period, up to a suspicion
     * @param gaps the last ones between two heartbeats, in quarters, the newest last
     */
    public record Peer(NodeId id, int silentTicks, List<Integer> gaps) {}

    /** @param tick how many of this period are over */
    public record State(List<Peer> peers, int tick, Phase phase) {
        private NodeSet suspected() {
            return phase instanceof Phase.Suspecting(var some) ? some : NodeSet.NONE;
        }

        private State suspecting(NodeSet next) {
            return new State(peers, tick, next.isEmpty() ? new Phase.Trusting() : new Phase.Suspecting(next));
        }
    }

    /** There is no gap before the first heartbeat; the period stands in for it. */
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
        var heard =
                to(new State(peers, s.tick, s.phase).suspecting(s.suspected().without(from)));
        return s.suspected().contains(from) ? heard.restore(from) : heard;
    }

    /** Heartbeats that come together are one sign of life. */
    private List<Integer> withLatestGap(Peer peer) {
        int skipped = peer.gaps.size() < window ? 0 : 1;
        return peer.silentTicks == 0
                ? peer.gaps
                : Stream.concat(peer.gaps.stream().skip(skipped), Stream.of(peer.silentTicks))
                        .toList();
    }

    @Override
    public Step<State, Heartbeat> timeout(State s, Tick beat) {
        var peers = s.peers.stream()
                .map(peer ->
                        s.suspected().contains(peer.id) ? peer : new Peer(peer.id, peer.silentTicks + 1, peer.gaps))
                .toList();
        var silent = NodeSet.of(peers.stream()
                .filter(peer -> phi(peer) >= threshold)
                .map(Peer::id)
                .toList());
        var step =
                to(new State(peers, (s.tick + 1) % TICKS_PER_PERIOD, s.phase).suspecting(silent.with(s.suspected())));
        for (NodeId news : silent.without(s.suspected())) {
            step = step.suspect(news);
        }
        return sendHeartbeatIfDue(step);
    }

    private Step<State, Heartbeat> sendHeartbeatIfDue(Step<State, Heartbeat> step) {
        var peers = NodeSet.of(step.state().peers.stream().map(Peer::id).toList());
        var next = period.dividedBy(TICKS_PER_PERIOD);
        return step.state().tick == 0
                ? step.sendAll(peers, new Heartbeat()).setTimer(Tick.TICK, next)
                : step.setTimer(Tick.TICK, next);
    }

    /** The tail of the normal distribution by a logistic function, which is the same on every machine. */
    private static double phi(Peer peer) {
        double n = peer.gaps.size();
        double mean = peer.gaps.stream().mapToLong(gap -> gap).sum() / n;
        double squares = peer.gaps.stream().mapToLong(gap -> (long) gap * gap).sum() / n;
        double spread = Math.max(1, StrictMath.sqrt(squares - mean * mean));
        double y = (peer.silentTicks - mean) / spread;
        return StrictMath.log10(1 + StrictMath.exp(y * (1.5976 + 0.070566 * y * y)));
    }
}
