package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.ObservableEvent.Crashed;
import habemus.world.ObservableEvent.Restarted;
import habemus.world.ObservableEvent.Restored;
import habemus.world.ObservableEvent.Suspected;
import java.util.SortedMap;
import java.util.TreeMap;

/** The monitors of the failure detector properties. */
final class DetectorMonitors {

    private DetectorMonitors() {}

    /**
     * The current suspicions.
     *
     * @param suspected the suspected peers of each live node that suspects any
     */
    record MonitorState(NodeSet down, SortedMap<NodeId, NodeSet> suspected) {

        static final MonitorState NONE = new MonitorState(NodeSet.NONE, new TreeMap<>());

        MonitorState after(ObservableEvent event) {
            return switch (event) {
                case Suspected(var node, var peer) -> new MonitorState(down, put(node, by(node).with(peer)));
                case Restored(var node, var peer) -> new MonitorState(down, put(node, by(node).without(peer)));
                case Crashed(var node, var asking) -> new MonitorState(down.with(node), put(node, NodeSet.NONE));
                case Restarted(var node) -> new MonitorState(down.without(node), suspected);
                default -> this;
            };
        }

        NodeSet by(NodeId node) {
            return suspected.getOrDefault(node, NodeSet.NONE);
        }

        private SortedMap<NodeId, NodeSet> put(NodeId node, NodeSet peers) {
            return DetectorMonitors.put(suspected, node, peers);
        }
    }

    /** A copy with the peers of one node replaced. An empty set has no entry, so that equal states are equal. */
    private static SortedMap<NodeId, NodeSet> put(SortedMap<NodeId, NodeSet> map, NodeId node, NodeSet peers) {
        var next = new TreeMap<>(map);
        if (peers.isEmpty()) {
            next.remove(node);
        } else {
            next.put(node, peers);
        }
        return next;
    }

    /** A monitor whose state is the current suspicions. */
    interface SuspicionMonitor extends PropertyMonitor<MonitorState> {
        @Override
        default MonitorState initialState() {
            return MonitorState.NONE;
        }

        @Override
        default MonitorState next(MonitorState state, ObservableEvent event) {
            return state.after(event);
        }
    }

    record Completeness(Topology topology) implements SuspicionMonitor {
        @Override
        public Property property() {
            return Property.COMPLETENESS;
        }

        @Override
        public boolean holds(MonitorState state) {
            for (NodeId crashed : state.down) {
                for (NodeId peer : topology.neighbourhood(crashed).neighbours()) {
                    if (!state.down.contains(peer) && !state.by(peer).contains(crashed)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    /** Each crash justifies one suspicion by each neighbour, however late: a late notification is no mistake. */
    record Accuracy(Topology topology) implements PropertyMonitor<Accuracy.MonitorState> {
        /** @param excused for each node that crashed: the neighbours that may still suspect it because of that crash */
        record MonitorState(NodeSet down, SortedMap<NodeId, NodeSet> excused, boolean accurate) {}

        @Override
        public Property property() {
            return Property.ACCURACY;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, new TreeMap<>(), true);
        }

        @Override
        public MonitorState next(MonitorState state, ObservableEvent event) {
            return switch (event) {
                case Suspected(var node, var peer) -> suspected(state, node, peer);
                case Crashed(var node, var asking) ->
                    new MonitorState(
                            state.down.with(node),
                            put(
                                    state.excused,
                                    node,
                                    topology.neighbourhood(node).peers()),
                            state.accurate);
                case Restarted(var node) -> new MonitorState(state.down.without(node), state.excused, state.accurate);
                default -> state;
            };
        }

        private static MonitorState suspected(MonitorState state, NodeId node, NodeId peer) {
            var excused = state.excused.getOrDefault(peer, NodeSet.NONE);
            boolean justified = state.down.contains(peer) || excused.contains(node);
            return new MonitorState(
                    state.down, put(state.excused, peer, excused.without(node)), state.accurate && justified);
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.accurate;
        }
    }

    record EventualAccuracy() implements SuspicionMonitor {
        @Override
        public Property property() {
            return Property.EVENTUAL_ACCURACY;
        }

        @Override
        public boolean holds(MonitorState state) {
            return state.suspected.values().stream()
                    .allMatch(peers -> peers.without(state.down).isEmpty());
        }
    }
}
