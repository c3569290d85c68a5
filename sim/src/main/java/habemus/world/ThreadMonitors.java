package habemus.world;

import habemus.protocol.Milestone;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.PerNode;
import habemus.world.ObservableEvent.Reported;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The monitors of programs whose threads share memory. */
final class ThreadMonitors {

    private ThreadMonitors() {}

    record NoLostUpdate() implements PropertyMonitor<List<NoLostUpdate.Tally>> {
        /**
         * @param node a shared object
         * @param updated what the threads have added to it
         * @param stored what it holds
         */
        record Tally(NodeId node, int updated, int stored) implements PerNode {}

        @Override
        public Property property() {
            return Property.NO_LOST_UPDATE;
        }

        @Override
        public List<Tally> initialState() {
            return List.of();
        }

        @Override
        public List<Tally> next(List<Tally> state, ObservableEvent event) {
            return switch (event) {
                case Reported(var thread, Milestone.Updated(var object, var amount)) -> {
                    var tally = tally(state, object);
                    yield with(state, new Tally(object, tally.updated + amount, tally.stored));
                }
                case Reported(var object, Milestone.Stored(var value)) ->
                    with(state, new Tally(object, tally(state, object).updated, value));
                default -> state;
            };
        }

        private static Tally tally(List<Tally> state, NodeId object) {
            return state.stream()
                    .filter(tally -> tally.node.equals(object))
                    .findFirst()
                    .orElse(new Tally(object, 0, 0));
        }

        private static List<Tally> with(List<Tally> state, Tally next) {
            var all = new ArrayList<>(state);
            all.removeIf(tally -> tally.node.equals(next.node));
            all.add(next);
            all.sort(Comparator.comparing(Tally::node));
            return List.copyOf(all);
        }

        @Override
        public boolean holds(List<Tally> state) {
            return state.stream().allMatch(tally -> tally.updated == tally.stored);
        }
    }

    record NoLostWakeup() implements PropertyMonitor<NodeSet> {
        @Override
        public Property property() {
            return Property.NO_LOST_WAKEUP;
        }

        @Override
        public NodeSet initialState() {
            return NodeSet.NONE;
        }

        @Override
        public NodeSet next(NodeSet parked, ObservableEvent event) {
            return switch (event) {
                case Reported(var monitor, Milestone.Parked(var thread)) -> parked.with(thread);
                case Reported(var monitor, Milestone.Unparked(var thread)) -> parked.without(thread);
                case ObservableEvent.Crashed(var thread, var asking) -> parked.without(thread);
                default -> parked;
            };
        }

        @Override
        public boolean holds(NodeSet parked) {
            return parked.isEmpty();
        }
    }
}
