package habemus.protocol;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The outcome of one event: the state after it, and what the world is asked to do, in order. */
public record Step<S, M>(S state, List<Effect<M>> effects) {

    public Step<S, M> send(NodeId to, M message) {
        return plus(new Effect.Send<>(to, message));
    }

    public Step<S, M> sendAll(NodeSet to, M message) {
        return to.isEmpty() ? this : plus(new Effect.SendAll<>(to, message));
    }

    public Step<S, M> wake(Enum<?> alarm, Duration after) {
        return wake(alarm, after, after);
    }

    /** The world draws the lot: an algorithm neither reads a clock nor rolls dice. */
    public Step<S, M> wake(Enum<?> alarm, Duration atLeast, Duration atMost) {
        return plus(new Effect.Wake<>(alarm, atLeast, atMost));
    }

    public Step<S, M> calm(Enum<?> alarm) {
        return plus(new Effect.Calm<>(alarm));
    }

    public Step<S, M> roll(int sides) {
        return plus(new Effect.Roll<>(sides));
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

    /** Goes on from this step's state; the effects of both, in order. */
    public Step<S, M> then(Function<S, Step<S, M>> next) {
        var after = next.apply(state);
        var both = new ArrayList<>(effects);
        both.addAll(after.effects);
        return new Step<>(after.state, List.copyOf(both));
    }

    /** The same step as part of a larger machine: its state within that one's, its messages wrapped. */
    public <T, N> Step<T, N> within(T outer, Function<M, N> wrap) {
        return new Step<>(
                outer,
                effects.stream()
                        .<Effect<N>>map(effect -> switch (effect) {
                            case Effect.Send<M>(var to, var message) -> new Effect.Send<>(to, wrap.apply(message));
                            case Effect.SendAll<M>(var to, var message) ->
                                new Effect.SendAll<>(to, wrap.apply(message));
                            case Effect.Wake<M>(var alarm, var atLeast, var atMost) ->
                                new Effect.Wake<>(alarm, atLeast, atMost);
                            case Effect.Calm<M>(var alarm) -> new Effect.Calm<>(alarm);
                            case Effect.Roll<M>(var sides) -> new Effect.Roll<>(sides);
                            case Effect.Grant<M>(var fence) -> new Effect.Grant<>(fence);
                            case Effect.Elected<M>(var leader, var term) -> new Effect.Elected<>(leader, term);
                            case Effect.Lost<M>() -> new Effect.Lost<>();
                            case Effect.Suspect<M>(var peer) -> new Effect.Suspect<>(peer);
                            case Effect.Restore<M>(var peer) -> new Effect.Restore<>(peer);
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
                        var longer = new ArrayList<>(effects);
                        longer.add(effect);
                        yield List.copyOf(longer);
                    }
                });
    }
}
