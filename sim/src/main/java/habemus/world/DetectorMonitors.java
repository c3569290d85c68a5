package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.ObservableEvent.Crashed;
import habemus.world.ObservableEvent.Restarted;
import habemus.world.ObservableEvent.Restored;
import habemus.world.ObservableEvent.Suspected;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The judges of failure detectors. */
final class DetectorMonitors {

    private DetectorMonitors() {}

    /**
     * Who suspects whom.
     *
     * @param suspected by each live node that suspects somebody
     */
    record MonitorState(NodeSet down, SortedMap<NodeId, NodeSet> suspected) {

        static final MonitorState NONE = new MonitorState(NodeSet.NONE, Collections.emptySortedMap());

        MonitorState after(ObservableEvent seen) {
            return switch (seen) {
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

    /** The same but for one node; whoever has nobody is left out, so that equal minds are equal. */
    private static SortedMap<NodeId, NodeSet> put(SortedMap<NodeId, NodeSet> all, NodeId node, NodeSet peers) {
        var next = new TreeMap<>(all);
        if (peers.isEmpty()) {
            next.remove(node);
        } else {
            next.put(node, peers);
        }
        return next;
    }

    /** Who looks at who suspects whom in the end. */
    interface SuspicionMonitor extends PropertyMonitor<MonitorState> {
        @Override
        default MonitorState initialState() {
            return MonitorState.NONE;
        }

        @Override
        default MonitorState next(MonitorState monitorState, ObservableEvent seen) {
            return monitorState.after(seen);
        }
    }

    record Completeness(Topology topology) implements SuspicionMonitor {
        @Override
        public Property property() {
            return Property.COMPLETENESS;
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            for (NodeId dead : monitorState.down) {
                for (NodeId peer : topology.neighbourhood(dead).neighbours()) {
                    if (!monitorState.down.contains(peer)
                            && !monitorState.by(peer).contains(dead)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    /** Each crash excuses one suspicion by each neighbour, however late: late news is no mistake. */
    record Accuracy(Topology topology) implements PropertyMonitor<Accuracy.MonitorState> {
        /** @param excused by each node that went down: who may still suspect it for that */
        record MonitorState(NodeSet down, SortedMap<NodeId, NodeSet> excused, boolean right) {}

        @Override
        public Property property() {
            return Property.ACCURACY;
        }

        @Override
        public MonitorState initialState() {
            return new MonitorState(NodeSet.NONE, Collections.emptySortedMap(), true);
        }

        @Override
        public MonitorState next(MonitorState mind, ObservableEvent seen) {
            return switch (seen) {
                case Suspected(var node, var peer) -> suspected(mind, node, peer);
                case Crashed(var node, var asking) ->
                    new MonitorState(
                            mind.down.with(node),
                            put(mind.excused, node, topology.neighbourhood(node).peers()),
                            mind.right);
                case Restarted(var node) -> new MonitorState(mind.down.without(node), mind.excused, mind.right);
                default -> mind;
            };
        }

        private static MonitorState suspected(MonitorState mind, NodeId node, NodeId peer) {
            var excused = mind.excused.getOrDefault(peer, NodeSet.NONE);
            boolean right = mind.down.contains(peer) || excused.contains(node);
            return new MonitorState(mind.down, put(mind.excused, peer, excused.without(node)), mind.right && right);
        }

        @Override
        public boolean holds(MonitorState mind) {
            return mind.right;
        }
    }

    record EventualAccuracy() implements SuspicionMonitor {
        @Override
        public Property property() {
            return Property.EVENTUAL_ACCURACY;
        }

        @Override
        public boolean holds(MonitorState monitorState) {
            return monitorState.suspected.values().stream()
                    .allMatch(peers -> peers.without(monitorState.down).isEmpty());
        }
    }
}
