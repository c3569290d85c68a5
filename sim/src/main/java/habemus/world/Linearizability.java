package habemus.world;

import habemus.protocol.Milestone;
import habemus.protocol.NodeId;
import habemus.protocol.Operation;
import habemus.protocol.PerNode;
import habemus.world.ObservableEvent.Reported;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * The monitor of {@link Property#LINEARIZABLE} (Herlihy and Wing 1990). It keeps every order in which the operations so
 * far can have taken effect. A return rules out the orders in which the operation has another result.
 */
record Linearizability() implements PropertyMonitor<List<Linearizability.Explanation>> {

    /**
     * A way in which the operations so far can have taken effect.
     *
     * @param object the state of the object then: the items of a queue, or the value of a map's key
     * @param pending the operations that have not returned, by thread
     */
    record Explanation(List<Integer> object, List<PendingOperation> pending) {}

    /** @param result empty until the operation takes effect */
    record PendingOperation(NodeId node, Operation operation, Optional<Integer> result) implements PerNode {}

    private record Effect(List<Integer> object, int result) {}

    @Override
    public Property property() {
        return Property.LINEARIZABLE;
    }

    @Override
    public List<Explanation> initialState() {
        return List.of(new Explanation(List.of(), List.of()));
    }

    @Override
    public List<Explanation> next(List<Explanation> state, ObservableEvent event) {
        return switch (event) {
            case Reported(var node, Milestone.Invoked(var operation)) ->
                state.stream()
                        .map(explanation -> with(
                                explanation,
                                explanation.object,
                                new PendingOperation(node, operation, Optional.empty())))
                        .toList();
            case Reported(var node, Milestone.Returned(var result)) -> returned(state, node, result);
            default -> state;
        };
    }

    /** The explanations in which the operation of the node has taken effect with this result. */
    private static List<Explanation> returned(List<Explanation> state, NodeId node, int result) {
        var after = new LinkedHashSet<Explanation>();
        for (Explanation explanation : closure(state)) {
            var pending = new ArrayList<>(explanation.pending);
            if (pending.removeIf(each -> each.node.equals(node)
                    && each.result.filter(r -> r == result).isPresent())) {
                after.add(new Explanation(explanation.object, List.copyOf(pending)));
            }
        }
        return List.copyOf(after);
    }

    /** All explanations that follow if some of the pending operations take effect now, in any order. */
    private static SequencedSet<Explanation> closure(List<Explanation> state) {
        var all = new LinkedHashSet<>(state);
        var todo = new ArrayList<>(state);
        while (!todo.isEmpty()) {
            var explanation = todo.removeLast();
            for (PendingOperation pending : explanation.pending) {
                if (pending.result.isEmpty()) {
                    apply(pending.operation, explanation.object)
                            .map(effect -> with(
                                    explanation,
                                    effect.object,
                                    new PendingOperation(pending.node, pending.operation, Optional.of(effect.result))))
                            .filter(all::add)
                            .ifPresent(todo::add);
                }
            }
        }
        return all;
    }

    private static Explanation with(Explanation explanation, List<Integer> object, PendingOperation next) {
        var pending = new ArrayList<>(explanation.pending);
        pending.removeIf(each -> each.node.equals(next.node));
        pending.add(next);
        pending.sort(Comparator.comparing(PendingOperation::node));
        return new Explanation(object, List.copyOf(pending));
    }

    /** The sequential specification. Empty if the operation has to wait in this state. */
    private static Optional<Effect> apply(Operation operation, List<Integer> object) {
        return switch (operation.kind()) {
            case PUT_IF_ABSENT ->
                Optional.of(
                        object.isEmpty()
                                ? new Effect(List.of(operation.argument()), 0)
                                : new Effect(object, object.getFirst()));
            case OFFER -> {
                var longer = new ArrayList<>(object);
                longer.add(operation.argument());
                yield Optional.of(new Effect(List.copyOf(longer), 0));
            }
            case TAKE ->
                object.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Effect(List.copyOf(object.subList(1, object.size())), object.getFirst()));
        };
    }

    @Override
    public boolean holds(List<Explanation> state) {
        return !state.isEmpty();
    }
}
