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
 * An election that listens to a failure detector, and such a detector beneath it, as one machine.
 *
 * <p>Whoever the detector suspects or trusts again, the election hears of in the same step. Only the detector's own
 * messages are signs of life: it works exactly as it does alone. Returns with what the election has on disk; a detector
 * has nothing there.
 *
 * @param <S> the election's states, {@code M} its messages, {@code D} its memory
 * @param <T> the detector's states, {@code N} its messages
 */
public record ElectionWithDetector<S, M, D, T, N>(Election<S, M> election, FailureDetector<T, N> detector)
        implements Election<State<S, T>, Message<M, N>>,
                FailureDetector<State<S, T>, Message<M, N>>,
                Durable<State<S, T>, Message<M, N>, DurableState<D>> {

    /** @throws IllegalArgumentException if the election does not listen */
    public ElectionWithDetector {
        if (!(election instanceof FailureAware)) {
            throw new IllegalArgumentException(election + " listens to no detector");
        }
    }

    public sealed interface Message<M, N> extends Envelope {
        record ToElection<M, N>(M content) implements Message<M, N> {}

        record ToDetector<M, N>(N content) implements Message<M, N> {}
    }

    /** @param content the election's own */
    public record State<S, T>(S content, T detector) implements Envelope {}

    /** @param election what it remembers; empty if it has no disk */
    public record DurableState<D>(List<D> election) {}

    @Override
    public Step<State<S, T>, Message<M, N>> start(Neighbourhood neighbourhood) {
        return begin(neighbourhood, election.start(neighbourhood));
    }

    private Step<State<S, T>, Message<M, N>> begin(Neighbourhood neighbourhood, Step<S, M> elected) {
        var watching = detector.start(neighbourhood);
        var both = new State<>(elected.state(), watching.state());
        return embedElection(both, elected).then(s -> embedDetector(s, watching));
    }

    @Override
    @SuppressWarnings("unchecked") // D is what the election remembers, if it is Durable
    public DurableState<D> durableState(State<S, T> s) {
        return new DurableState<>(
                election instanceof Durable<S, M, ?> durable
                        ? List.of(((Durable<S, M, D>) durable).durableState(s.content))
                        : List.of());
    }

    @Override
    @SuppressWarnings("unchecked") // as in memory()
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
            case Message.ToElection<M, N>(var its) -> embedElection(s, election.receive(s.content, from, its));
            case Message.ToDetector<M, N>(var its) -> embedDetector(s, detector.receive(s.detector, from, its));
        };
    }

    @Override
    public Step<State<S, T>, Message<M, N>> timeout(State<S, T> s, Tick beat) {
        return embedDetector(s, detector.timeout(s.detector, beat));
    }

    /** Alarms that are not the detector's are the election's. */
    @Override
    public Step<State<S, T>, Message<M, N>> fireTimer(State<S, T> s, Enum<?> alarm) {
        if (alarm instanceof Tick beat) {
            return timeout(s, beat);
        }
        if (election instanceof Timed<S, M, ?> timed) {
            return embedElection(s, timed.fireTimer(s.content, alarm));
        }
        throw new ProtocolBug(alarm.toString(), s);
    }

    private Step<State<S, T>, Message<M, N>> embedElection(State<S, T> s, Step<S, M> step) {
        return step.embedIn(new State<>(step.state(), s.detector), Message.ToElection::new);
    }

    /** What the detector says comes first, then what the election makes of it. */
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
