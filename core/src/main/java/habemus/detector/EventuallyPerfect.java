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
 * Suspect whoever is silent, and be more patient with everybody who was suspected and is heard again.
 *
 * <p>How long a message can take nobody knows, so the first timeout is a guess. Each mistake about a peer makes the
 * timeout for this peer a period longer; as soon as it is longer than any message takes, there are no more mistakes.
 * A peer that has really been away is waited for longer, too: it cannot be told from a slow one.
 *
 * <pre>
 *   ·          ── start ─────▶ Trusting
 *   Trusting   ── BEAT ──────▶ Suspecting
 *   Suspecting ── Heartbeat ─▶ Trusting      of the only one suspected
 * </pre>
 *
 * <p>Costs n-1 messages a node and period. Survives anything that comes to an end: whoever is down is suspected,
 * always; whoever is up is trusted in the end. Assumes that there is a time that no message exceeds, from some time on;
 * what it is need not be known.
 *
 * @param period from one heartbeat to the next
 * @param timeout after what silence a peer is suspected, to begin with
 * @param maxPeriods no timeout grows longer than so many periods; zero if any may
 * @see <a href="https://doi.org/10.1145/226643.226647">Chandra, Toueg, JACM 43(2), 1996: the class ◇P</a>
 */
public record EventuallyPerfect(Duration period, Duration timeout, int maxPeriods)
        implements FailureDetector<State, Heartbeat> {

    public EventuallyPerfect {
        RoundClock.requireValidPeriod(period);
        if (maxPeriods < 0) {
            throw new IllegalArgumentException("a timeout is at most some periods long, or 0 for any number");
        }
    }

    public record Heartbeat() implements PeriodicMessage {}

    @WireTags({Phase.Suspecting.class, Phase.Trusting.class})
    public sealed interface Phase {
        record Trusting() implements Phase {}

        record Suspecting(NodeSet peers) implements Phase {}
    }

    /**
     * @param silentTicks for how many of our beats we have not heard from it
     * @param timeoutTicks after how many it is suspected
     */
    public record Peer(NodeId id, int silentTicks, int timeoutTicks) {
        private boolean isSuspected() {
            return silentTicks == timeoutTicks;
        }

        private Peer missed() {
            return isSuspected() ? this : new Peer(id, silentTicks + 1, timeoutTicks);
        }

        private Peer heard(int most) {
            return new Peer(
                    id, 0, isSuspected() && (most == 0 || timeoutTicks <= most) ? timeoutTicks + 1 : timeoutTicks);
        }
    }

    public record State(List<Peer> peers, Phase phase) {
        private static State of(List<Peer> peers) {
            var suspected = NodeSet.of(
                    peers.stream().filter(Peer::isSuspected).map(Peer::id).toList());
            return new State(peers, suspected.isEmpty() ? new Phase.Trusting() : new Phase.Suspecting(suspected));
        }

        private NodeSet suspected() {
            return phase instanceof Phase.Suspecting(var some) ? some : NodeSet.NONE;
        }
    }

    @Override
    public Step<State, Heartbeat> start(Neighbourhood neighbourhood) {
        int patience = RoundClock.periodsIn(timeout, period) + 1; // so many beats span one period less
        var peers = neighbourhood.peers().toList().stream()
                .map(id -> new Peer(id, 0, patience))
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
    public Step<State, Heartbeat> timeout(State s, Tick beat) {
        var step = to(State.of(s.peers.stream().map(Peer::missed).toList()));
        for (NodeId news : step.state().suspected().without(s.suspected())) {
            step = step.suspect(news);
        }
        return sendHeartbeats(step);
    }

    private Step<State, Heartbeat> sendHeartbeats(Step<State, Heartbeat> step) {
        var peers = step.state().peers.stream().map(Peer::id).toList();
        return step.sendAll(NodeSet.of(peers), new Heartbeat()).setTimer(Tick.TICK, period);
    }
}
