package habemus.detector;

import habemus.detector.EventuallyPerfect.Heartbeat;
import habemus.detector.EventuallyPerfect.State;
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
 * A heartbeat detector whose timeout for a peer grows with every wrong suspicion of this peer.
 *
 * <p>The maximum delay of a message is unknown, so the initial timeout is a guess. Each suspicion that ends with a
 * heartbeat makes the timeout for this peer one period longer. Once the timeout exceeds the delay of every message, the
 * detector makes no more mistakes. The timeout also grows after a real restart: the detector cannot distinguish a
 * restarted peer from a slow one.
 *
 * <pre>
 *   ·          ── start ─────▶ Trusting
 *   Trusting   ── TICK ──────▶ Suspecting
 *   Suspecting ── Heartbeat ─▶ Trusting      of the only suspected peer
 * </pre>
 *
 * <p>Costs n-1 messages a node and period. Survives all faults that end: it always suspects crashed nodes, and in the
 * end it trusts live nodes. Assumes that from some time on there is a maximum delay of messages, which need not be
 * known.
 *
 * @param period the time between two heartbeats
 * @param timeout the initial time without a heartbeat until the detector suspects a peer
 * @param maxPeriods the maximum timeout in periods; zero for no maximum
 * @see <a href="https://doi.org/10.1145/226643.226647">Chandra, Toueg, JACM 43(2), 1996: the class ◇P</a>
 */
public record EventuallyPerfect(Duration period, Duration timeout, int maxPeriods)
        implements FailureDetector<State, Heartbeat> {

    public EventuallyPerfect {
        RoundClock.requireValidPeriod(period);
        if (maxPeriods < 0) {
            throw new IllegalArgumentException(
                    "the maximum timeout must be a number of periods, or 0 for no maximum, was " + maxPeriods);
        }
    }

    public record Heartbeat() implements PeriodicMessage {}

    @WireTags({Phase.Suspecting.class, Phase.Trusting.class})
    public sealed interface Phase {
        record Trusting() implements Phase {}

        record Suspecting(NodeSet peers) implements Phase {}
    }

    /**
     * @param silentTicks the number of ticks since its last heartbeat
     * @param timeoutTicks the number of ticks after which it is suspected
     */
    public record Peer(NodeId id, int silentTicks, int timeoutTicks) {
        private boolean isSuspected() {
            return silentTicks == timeoutTicks;
        }

        private Peer missed() {
            return isSuspected() ? this : new Peer(id, silentTicks + 1, timeoutTicks);
        }

        private Peer heard(int maxPeriods) {
            boolean isLonger = isSuspected() && (maxPeriods == 0 || timeoutTicks <= maxPeriods);
            return new Peer(id, 0, isLonger ? timeoutTicks + 1 : timeoutTicks);
        }
    }

    public record State(List<Peer> peers, Phase phase) {
        private static State of(List<Peer> peers) {
            var suspected = NodeSet.of(
                    peers.stream().filter(Peer::isSuspected).map(Peer::id).toList());
            return new State(peers, suspected.isEmpty() ? new Phase.Trusting() : new Phase.Suspecting(suspected));
        }

        private NodeSet suspected() {
            return phase instanceof Phase.Suspecting(var suspects) ? suspects : NodeSet.NONE;
        }
    }

    @Override
    public Step<State, Heartbeat> start(Neighbourhood neighbourhood) {
        int timeoutTicks = RoundClock.periodsIn(timeout, period) + 1; // k ticks span k-1 periods
        var peers = neighbourhood.peers().toList().stream()
                .map(id -> new Peer(id, 0, timeoutTicks))
                .toList();
        return sendHeartbeats(to(State.of(peers)));
    }

    @Override
    public Step<State, Heartbeat> receive(State s, NodeId from, Heartbeat heartbeat) {
        var peers = s.peers.stream()
                .map(peer -> peer.id.equals(from) ? peer.heard(maxPeriods) : peer)
                .toList();
        return s.suspected().contains(from) ? to(State.of(peers)).restore(from) : to(State.of(peers));
    }

    @Override
    public Step<State, Heartbeat> timeout(State s, Tick tick) {
        var step = to(State.of(s.peers.stream().map(Peer::missed).toList()));
        for (NodeId suspect : step.state().suspected().without(s.suspected())) {
            step = step.suspect(suspect);
        }
        return sendHeartbeats(step);
    }

    private Step<State, Heartbeat> sendHeartbeats(Step<State, Heartbeat> step) {
        var peers = step.state().peers.stream().map(Peer::id).toList();
        return step.sendAll(NodeSet.of(peers), new Heartbeat()).setTimer(Tick.TICK, period);
    }
}
