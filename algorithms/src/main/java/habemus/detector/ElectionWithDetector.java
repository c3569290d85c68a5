package habemus.detector;

import habemus.detector.ElectionWithDetector.DurableState;
import habemus.detector.ElectionWithDetector.Message;
import habemus.detector.ElectionWithDetector.State;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Election;
import habemus.protocol.Envelope;
import habemus.protocol.FailureAware;
import habemus.protocol.FailureDetector;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import java.util.List;

/**
 * The composition of an election and the failure detector that it uses, as one algorithm.
 *
 * <p>The election gets a suspicion or restoration in the step in which the detector reports it. The detector counts
 * only its own messages as heartbeats, so it works as it does alone. The durable state is that of the election; a
 * detector has none.
 *
 * @param <S> the states of the election
 * @param <M> the messages of the election
 * @param <D> the durable states of the election
 * @param <T> the states of the detector
 * @param <N> the messages of the detector
 */
public record ElectionWithDetector<S, M, D, T, N>(Election<S, M> election, FailureDetector<T, N> detector)
        implements Election<State<S, T>, Message<M, N>>,
                FailureDetector<State<S, T>, Message<M, N>>,
                Durable<State<S, T>, Message<M, N>, DurableState<D>> {

    /** @throws IllegalArgumentException if the election uses no failure detector */
    public ElectionWithDetector {
        if (!(election instanceof FailureAware)) {
            throw new IllegalArgumentException(election + " uses no failure detector");
        }
    }

    public sealed interface Message<M, N> extends Envelope {
        record ToElection<M, N>(M content) implements Message<M, N> {}

        record ToDetector<M, N>(N content) implements Message<M, N> {}
    }

    /** @param content the state of the election */
    public record State<S, T>(S content, T detector) implements Envelope {}

    /** @param election the durable state of the election; empty if it has none */
    public record DurableState<D>(List<D> election) {}

    @Override
    public Step<State<S, T>, Message<M, N>> start(Neighbourhood neighbourhood) {
        return begin(neighbourhood, election.start(neighbourhood));
    }

    private Step<State<S, T>, Message<M, N>> begin(Neighbourhood neighbourhood, Step<S, M> electionStep) {
        var detectorStep = detector.start(neighbourhood);
        var both = new State<>(electionStep.state(), detectorStep.state());
        return embedElection(both, electionStep).then(s -> embedDetector(s, detectorStep));
    }

    @Override
    @SuppressWarnings("unchecked") // D is the durable state of the election, if it is Durable
    public DurableState<D> durableState(State<S, T> s) {
        return new DurableState<>(
                election instanceof Durable<S, M, ?> durable
                        ? List.of(((Durable<S, M, D>) durable).durableState(s.content))
                        : List.of());
    }

    @Override
    @SuppressWarnings("unchecked") // as in durableState()
    public Step<State<S, T>, Message<M, N>> restart(Neighbourhood neighbourhood, DurableState<D> durableState) {
        return durableState.election.isEmpty()
                ? start(neighbourhood)
                : begin(
                        neighbourhood,
                        ((Durable<S, M, D>) election).restart(neighbourhood, durableState.election.getFirst()));
    }

    @Override
    public Step<State<S, T>, Message<M, N>> campaign(State<S, T> s) {
        return embedElection(s, election.campaign(s.content));
    }

    @Override
    public Step<State<S, T>, Message<M, N>> receive(State<S, T> s, NodeId from, Message<M, N> message) {
        return switch (message) {
            case Message.ToElection<M, N>(var content) -> embedElection(s, election.receive(s.content, from, content));
            case Message.ToDetector<M, N>(var content) -> embedDetector(s, detector.receive(s.detector, from, content));
        };
    }

    @Override
    public Step<State<S, T>, Message<M, N>> timeout(State<S, T> s, Tick tick) {
        return embedDetector(s, detector.timeout(s.detector, tick));
    }

    /** A timer belongs to the detector if it is a {@link Tick}, and to the election otherwise. */
    @Override
    public Step<State<S, T>, Message<M, N>> fireTimer(State<S, T> s, Enum<?> timer) {
        if (timer instanceof Tick tick) {
            return timeout(s, tick);
        }
        if (election instanceof Timed<S, M, ?> timed) {
            return embedElection(s, timed.fireTimer(s.content, timer));
        }
        throw new ProtocolBug(timer.toString(), s);
    }

    private Step<State<S, T>, Message<M, N>> embedElection(State<S, T> s, Step<S, M> step) {
        return step.embedIn(new State<>(step.state(), s.detector), Message.ToElection::new);
    }

    /** The effects of the detector come first, then those of the election. */
    private Step<State<S, T>, Message<M, N>> embedDetector(State<S, T> s, Step<T, N> step) {
        var both =
                step.<State<S, T>, Message<M, N>>embedIn(new State<>(s.content, step.state()), Message.ToDetector::new);
        var failureAware = (FailureAware<S, M>) election;
        for (Effect<N> effect : step.effects()) {
            both = switch (effect) {
                case Effect.Suspect<N>(var peer) ->
                    both.then(now -> embedElection(now, failureAware.suspect(now.content, peer)));
                case Effect.Restore<N>(var peer) ->
                    both.then(now -> embedElection(now, failureAware.restore(now.content, peer)));
                default -> both;
            };
        }
        return both;
    }
}
