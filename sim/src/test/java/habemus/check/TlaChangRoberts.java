package habemus.check;

import habemus.check.TlaChangRoberts.Action;
import habemus.check.TlaChangRoberts.Message;
import habemus.check.TlaChangRoberts.State;
import habemus.protocol.Election;
import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.Step;
import habemus.protocol.Timed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The ring of three of the TLA+ module {@code ChangRoberts} (Stephan Merz) of {@code tlaplus/Examples}, action by
 * action. It is not our algorithm: the smallest id wins, no node learns the winner, and a node receives no message
 * before its first step, initiator or not. No scope lets a node refuse a message. So the whole ring is one node here,
 * and each of its actions is a timer that is set exactly while the guard of the module is true.
 */
final class TlaChangRoberts implements Election<State, Message>, Timed<State, Message, Action> {

    sealed interface Message {
        record None() implements Message {}
    }

    /** The first step of a node, and a node's reception of an id. */
    enum Action {
        FIRST_1,
        FIRST_2,
        FIRST_3,
        RECEIVE_1_1,
        RECEIVE_1_2,
        RECEIVE_1_3,
        RECEIVE_2_1,
        RECEIVE_2_2,
        RECEIVE_2_3,
        RECEIVE_3_1,
        RECEIVE_3_2,
        RECEIVE_3_3;

        private boolean isFirst() {
            return ordinal() < SIZE;
        }

        private int node() {
            return isFirst() ? ordinal() : (ordinal() - SIZE) / SIZE;
        }

        private int id() {
            return (ordinal() - SIZE) % SIZE;
        }
    }

    enum Status {
        CANDIDATE,
        LOST,
        WON
    }

    /** @param waiting the ids in flight to each node */
    record State(List<Boolean> begun, List<Status> statuses, List<List<Integer>> waiting) {
        private boolean enabled(Action action) {
            return action.isFirst()
                    ? !begun.get(action.node())
                    : begun.get(action.node()) && waiting.get(action.node()).contains(action.id());
        }
    }

    private static final int SIZE = 3;

    private final List<Boolean> initiators;

    TlaChangRoberts(List<Boolean> initiators) {
        this.initiators = initiators;
    }

    @Override
    public Step<State, Message> start(Neighbourhood neighbourhood) {
        var statuses = initiators.stream()
                .map(initiator -> initiator ? Status.CANDIDATE : Status.LOST)
                .toList();
        return ready(new State(
                List.of(false, false, false), List.copyOf(statuses), List.of(List.of(), List.of(), List.of())));
    }

    @Override
    public Step<State, Message> campaign(State s) {
        return to(s);
    }

    @Override
    public Step<State, Message> receive(State s, NodeId from, Message message) {
        return to(s);
    }

    @Override
    public Step<State, Message> timeout(State s, Action action) {
        int node = action.node();
        if (action.isFirst()) {
            var begun = with(s.begun, node, true);
            return ready(new State(begun, s.statuses, initiators.get(node) ? sent(s.waiting, node, node) : s.waiting));
        }
        int id = action.id();
        var remaining = new TreeSet<>(s.waiting.get(node));
        remaining.remove(id);
        var received = with(s.waiting, node, List.copyOf(remaining));
        var status = s.statuses.get(node);
        if (status == Status.LOST || id < node) {
            return ready(new State(s.begun, with(s.statuses, node, Status.LOST), sent(received, node, id)));
        }
        return ready(new State(s.begun, id == node ? with(s.statuses, node, Status.WON) : s.statuses, received));
    }

    private static List<List<Integer>> sent(List<List<Integer>> waiting, int from, int id) {
        int next = (from + 1) % SIZE;
        var more = new TreeSet<>(waiting.get(next));
        more.add(id);
        return with(waiting, next, List.copyOf(more));
    }

    private static <T> List<T> with(List<T> list, int at, T value) {
        var next = new ArrayList<>(list);
        next.set(at, value);
        return List.copyOf(next);
    }

    private Step<State, Message> ready(State s) {
        var step = to(s);
        for (Action action : Action.values()) {
            step = s.enabled(action) ? step.setTimer(action, Duration.ZERO) : step.cancelTimer(action);
        }
        return step;
    }
}
