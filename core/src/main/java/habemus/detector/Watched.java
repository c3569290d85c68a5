package habemus.detector;

import habemus.detector.Watched.Memory;
import habemus.detector.Watched.Message;
import habemus.detector.Watched.State;
import habemus.protocol.Detecting;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Election;
import habemus.protocol.Envelope;
import habemus.protocol.NodeId;
import habemus.protocol.Place;
import habemus.protocol.ProtocolBug;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import habemus.protocol.Watchful;
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
public record Watched<S, M, D, T, N>(Election<S, M> election, Detecting<T, N> detector)
        implements Election<State<S, T>, Message<M, N>>,
                Detecting<State<S, T>, Message<M, N>>,
                Durable<State<S, T>, Message<M, N>, Memory<D>> {

    /** @throws IllegalArgumentException if the election does not listen */
    public Watched {
        if (!(election instanceof Watchful)) {
            throw new IllegalArgumentException(election + " listens to no detector");
        }
    }

    public sealed interface Message<M, N> extends Envelope {
        record ToElection<M, N>(M content) implements Message<M, N> {}

        record ToDetector<M, N>(N content) implements Message<M, N> {}
    }

    /** @param content the election's own */
    public record State<S, T>(S content, T watch) implements Envelope {}

    /** @param election what it remembers; empty if it has no disk */
    public record Memory<D>(List<D> election) {}

    @Override
    public Step<State<S, T>, Message<M, N>> start(Place place) {
        return begin(place, election.start(place));
    }

    private Step<State<S, T>, Message<M, N>> begin(Place place, Step<S, M> elected) {
        var watching = detector.start(place);
        var both = new State<>(elected.state(), watching.state());
        return elect(both, elected).then(s -> watch(s, watching));
    }

    @Override
    @SuppressWarnings("unchecked") // D is what the election remembers, if it is Durable
    public Memory<D> memory(State<S, T> s) {
        return new Memory<>(
                election instanceof Durable<S, M, ?> durable
                        ? List.of(((Durable<S, M, D>) durable).memory(s.content))
                        : List.of());
    }

    @Override
    @SuppressWarnings("unchecked") // as in memory()
    public Step<State<S, T>, Message<M, N>> restart(Place place, Memory<D> memory) {
        return memory.election.isEmpty()
                ? start(place)
                : begin(place, ((Durable<S, M, D>) election).restart(place, memory.election.getFirst()));
    }

    @Override
    public Step<State<S, T>, Message<M, N>> campaign(State<S, T> s) {
        return elect(s, election.campaign(s.content));
    }

    @Override
    public Step<State<S, T>, Message<M, N>> receive(State<S, T> s, NodeId from, Message<M, N> message) {
        return switch (message) {
            case Message.ToElection<M, N>(var its) -> elect(s, election.receive(s.content, from, its));
            case Message.ToDetector<M, N>(var its) -> watch(s, detector.receive(s.watch, from, its));
        };
    }

    @Override
    public Step<State<S, T>, Message<M, N>> elapsed(State<S, T> s, Pulse beat) {
        return watch(s, detector.elapsed(s.watch, beat));
    }

    /** Alarms that are not the detector's are the election's. */
    @Override
    public Step<State<S, T>, Message<M, N>> ring(State<S, T> s, Enum<?> alarm) {
        if (alarm instanceof Pulse beat) {
            return elapsed(s, beat);
        }
        if (election instanceof Timed<S, M, ?> timed) {
            return elect(s, timed.ring(s.content, alarm));
        }
        throw new ProtocolBug(alarm.toString(), s);
    }

    private Step<State<S, T>, Message<M, N>> elect(State<S, T> s, Step<S, M> step) {
        return step.within(new State<>(step.state(), s.watch), Message.ToElection::new);
    }

    /** What the detector says comes first, then what the election makes of it. */
    private Step<State<S, T>, Message<M, N>> watch(State<S, T> s, Step<T, N> step) {
        var both =
                step.<State<S, T>, Message<M, N>>within(new State<>(s.content, step.state()), Message.ToDetector::new);
        var watchful = (Watchful<S, M>) election;
        for (Effect<N> effect : step.effects()) {
            both = switch (effect) {
                case Effect.Suspect<N>(var peer) -> both.then(now -> elect(now, watchful.suspect(now.content, peer)));
                case Effect.Restore<N>(var peer) -> both.then(now -> elect(now, watchful.restore(now.content, peer)));
                default -> both;
            };
        }
        return both;
    }
}
