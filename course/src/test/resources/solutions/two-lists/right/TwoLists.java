import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Ranking;
import habemus.protocol.Step;

/** A list circulates, and every node adds itself. When it returns, its best node leads. Two lists may circulate. */
public record TwoLists(Ranking ranking) implements Election<TwoLists.State, TwoLists.Message> {

    public sealed interface Message {
        record Collect(NodeId initiator, NodeSet list) implements Message {}

        record Result(NodeId initiator, NodeId leader) implements Message {}
    }

    /** @param best the best initiator whose list has passed; the node itself before any has */
    public record State(NodeId self, NodeId next, NodeId best, boolean active) {}

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        return to(new State(neighbourhood.self(), neighbourhood.next(), neighbourhood.self(), false));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return s.active
                ? to(s)
                : to(new State(s.self, s.next, s.self, true))
                        .send(s.next, new Message.Collect(s.self, NodeSet.of(s.self)));
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return switch (message) {
            case Message.Collect(var initiator, var list) when initiator.equals(s.self) -> announce(s, list);
            case Message.Collect(var initiator, var list) when s.active && ranking.isBetter(s.best, initiator) ->
                to(s); // a better list has passed: this one ends here
            case Message.Collect(var initiator, var list) ->
                to(new State(s.self, s.next, initiator, true))
                        .send(s.next, new Message.Collect(initiator, list.with(s.self)));
            case Message.Result(var initiator, var leader) when initiator.equals(s.self) -> to(s);
            case Message.Result(var initiator, var leader) -> to(s).elected(leader, 1).send(s.next, message);
        };
    }

    private Step<State, Message> announce(State s, NodeSet list) {
        var leader = ranking.best(list);
        return to(s).elected(leader, 1).send(s.next, new Message.Result(s.self, leader));
    }
}
