package habemus.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The result of one event: the next state, and the effects that the runtime carries out in order. */
public record Step<S, M>(S state, List<Effect<M>> effects) {

    public Step<S, M> send(NodeId to, M message) {
        return plus(new Effect.Send<>(to, message));
    }

    public Step<S, M> sendAll(NodeSet to, M message) {
        return to.isEmpty() ? this : plus(new Effect.SendAll<>(to, message));
    }

    public Step<S, M> setTimer(Enum<?> timer, Duration after) {
        return setTimer(timer, after, after);
    }

    /** The runtime draws the delay: an algorithm reads no clock and generates no random numbers. */
    public Step<S, M> setTimer(Enum<?> timer, Duration atLeast, Duration atMost) {
        return plus(new Effect.SetTimer<>(timer, atLeast, atMost));
    }

    public Step<S, M> cancelTimer(Enum<?> timer) {
        return plus(new Effect.CancelTimer<>(timer));
    }

    public Step<S, M> draw(int bound) {
        return plus(new Effect.Draw<>(bound));
    }

    public Step<S, M> grant(long fence) {
        return plus(new Effect.Grant<>(fence));
    }

    public Step<S, M> elected(NodeId leader, long term) {
        return plus(new Effect.Elected<>(leader, term));
    }

    public Step<S, M> lost() {
        return plus(new Effect.Lost<>());
    }

    public Step<S, M> suspect(NodeId peer) {
        return plus(new Effect.Suspect<>(peer));
    }

    public Step<S, M> restore(NodeId peer) {
        return plus(new Effect.Restore<>(peer));
    }

    public Step<S, M> apply(long firstIndex, List<LogEntry> entries) {
        return plus(new Effect.Apply<>(firstIndex, entries));
    }

    public Step<S, M> load(long index, ByteString snapshot) {
        return plus(new Effect.Load<>(index, snapshot));
    }

    public Step<S, M> reply(long id, LogReply reply) {
        return plus(new Effect.Reply<>(id, reply));
    }

    public Step<S, M> report(Milestone milestone) {
        return plus(new Effect.Report<>(milestone));
    }

    /** Continues from the state of this step. The result has the effects of both steps, in order. */
    public Step<S, M> then(Function<S, Step<S, M>> next) {
        var second = next.apply(state);
        if (effects.isEmpty() || second.effects.isEmpty()) {
            return effects.isEmpty() ? second : new Step<>(second.state, effects);
        }
        var both = new ArrayList<>(effects);
        both.addAll(second.effects);
        return new Step<>(second.state, List.copyOf(both));
    }

    /** The same step as part of an enclosing algorithm: with that algorithm's state, and with messages wrapped. */
    public <T, N> Step<T, N> embedIn(T outerState, Function<M, N> wrap) {
        return new Step<>(
                outerState,
                effects.stream()
                        .<Effect<N>>map(effect -> switch (effect) {
                            case Effect.Send<M>(var to, var message) -> new Effect.Send<>(to, wrap.apply(message));
                            case Effect.SendAll<M>(var to, var message) ->
                                new Effect.SendAll<>(to, wrap.apply(message));
                            case Effect.SetTimer<M>(var timer, var atLeast, var atMost) ->
                                new Effect.SetTimer<>(timer, atLeast, atMost);
                            case Effect.CancelTimer<M>(var timer) -> new Effect.CancelTimer<>(timer);
                            case Effect.Draw<M>(var bound) -> new Effect.Draw<>(bound);
                            case Effect.Grant<M>(var fence) -> new Effect.Grant<>(fence);
                            case Effect.Elected<M>(var leader, var term) -> new Effect.Elected<>(leader, term);
                            case Effect.Lost<M>() -> new Effect.Lost<>();
                            case Effect.Suspect<M>(var peer) -> new Effect.Suspect<>(peer);
                            case Effect.Restore<M>(var peer) -> new Effect.Restore<>(peer);
                            case Effect.Apply<M>(var first, var entries) -> new Effect.Apply<>(first, entries);
                            case Effect.Load<M>(var index, var snapshot) -> new Effect.Load<>(index, snapshot);
                            case Effect.Reply<M>(var id, var reply) -> new Effect.Reply<>(id, reply);
                            case Effect.Report<M>(var milestone) -> new Effect.Report<>(milestone);
                        })
                        .toList());
    }

    private Step<S, M> plus(Effect<M> effect) {
        return new Step<>(
                state,
                switch (effects.size()) {
                    case 0 -> List.of(effect);
                    case 1 -> List.of(effects.get(0), effect);
                    default -> {
                        var extended = new ArrayList<>(effects);
                        extended.add(effect);
                        yield List.copyOf(extended);
                    }
                });
    }
}
