package habemus.course.exercise;

import habemus.protocol.Effect;
import habemus.protocol.Election;
import habemus.protocol.Event;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.protocol.Randomized;
import habemus.protocol.Step;
import java.util.List;

/**
 * An election in a ring whose nodes do not know their ids: every node believes that it is n1 and that its neighbours
 * are n2 and n3. So equal states and equal events give equal steps at all nodes.
 *
 * @param equalDraws how many draws of each node give zero, whatever the world draws
 */
record AnonymousNodes<S, M>(Election<S, M> election, int equalDraws)
        implements Election<AnonymousNodes.State<S>, M>, Randomized<AnonymousNodes.State<S>, M> {

    private static final NodeId SELF = new NodeId(1);
    private static final NodeId NEXT = new NodeId(2);
    private static final NodeId PREVIOUS = new NodeId(3);
    private static final Neighbourhood AROUND = new Neighbourhood(SELF, List.of(NEXT, PREVIOUS));

    /** @param draws how many values the node has drawn, up to {@code equalDraws} */
    record State<S>(NodeId self, NodeId next, NodeId previous, int draws, S inner) {
        State<S> with(S nextInner) {
            return new State<>(self, next, previous, draws, nextInner);
        }
    }

    static Protocol<?, ?> of(Protocol<?, ?> protocol, int equalDraws) {
        return new AnonymousNodes<>((Election<?, ?>) protocol, equalDraws);
    }

    @Override
    public Step<State<S>, M> start(Neighbourhood around) {
        var inner = election.start(AROUND);
        var state = new State<>(around.self(), around.next(), around.previous(), 0, inner.state());
        return translate(state, inner);
    }

    @Override
    public Step<State<S>, M> campaign(State<S> s) {
        return translate(s, election.campaign(s.inner));
    }

    @Override
    public Step<State<S>, M> receive(State<S> s, NodeId from, M message) {
        var seen = from.equals(s.previous) ? PREVIOUS : NEXT;
        return translate(s, election.receive(s.inner, seen, message));
    }

    @Override
    public Step<State<S>, M> drawn(State<S> s, int value) {
        boolean isEqual = s.draws < equalDraws;
        var counted = isEqual ? new State<>(s.self, s.next, s.previous, s.draws + 1, s.inner) : s;
        return translate(counted, election.step(s.inner, new Event.Drawn<>(isEqual ? 0 : value)));
    }

    private Step<State<S>, M> translate(State<S> s, Step<S, M> step) {
        return new Step<>(
                s.with(step.state()),
                step.effects().stream().map(effect -> translate(s, effect)).toList());
    }

    private Effect<M> translate(State<S> s, Effect<M> effect) {
        return switch (effect) {
            case Effect.Send<M>(var to, var message) -> new Effect.Send<>(id(s, to), message);
            case Effect.Elected<M>(var leader, var term) -> new Effect.Elected<>(id(s, leader), term);
            default -> effect;
        };
    }

    private static NodeId id(State<?> s, NodeId seen) {
        return seen.equals(SELF) ? s.self : seen.equals(NEXT) ? s.next : s.previous;
    }
}
