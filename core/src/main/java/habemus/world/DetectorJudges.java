package habemus.world;

import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.Happening.Crashed;
import habemus.world.Happening.Restarted;
import habemus.world.Happening.Suspected;
import habemus.world.Happening.Trusted;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** The judges of failure detectors. */
final class DetectorJudges {

    private DetectorJudges() {}

    /**
     * Who suspects whom.
     *
     * @param suspected by each live node that suspects somebody
     */
    record Mind(NodeSet down, SortedMap<NodeId, NodeSet> suspected) {

        static final Mind NONE = new Mind(NodeSet.NONE, Collections.emptySortedMap());

        Mind after(Happening seen) {
            return switch (seen) {
                case Suspected(var node, var peer) -> new Mind(down, put(node, by(node).with(peer)));
                case Trusted(var node, var peer) -> new Mind(down, put(node, by(node).without(peer)));
                case Crashed(var node, var asking) -> new Mind(down.with(node), put(node, NodeSet.NONE));
                case Restarted(var node) -> new Mind(down.without(node), suspected);
                default -> this;
            };
        }

        NodeSet by(NodeId node) {
            return suspected.getOrDefault(node, NodeSet.NONE);
        }

        private SortedMap<NodeId, NodeSet> put(NodeId node, NodeSet peers) {
            return DetectorJudges.put(suspected, node, peers);
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
    interface OfMinds extends Judge<Mind> {
        @Override
        default Mind start() {
            return Mind.NONE;
        }

        @Override
        default Mind after(Mind mind, Happening seen) {
            return mind.after(seen);
        }
    }

    record Completeness(Topology topology) implements OfMinds {
        @Override
        public Property property() {
            return Property.COMPLETENESS;
        }

        @Override
        public boolean holds(Mind mind) {
            for (NodeId dead : mind.down) {
                for (NodeId peer : topology.place(dead).neighbours()) {
                    if (!mind.down.contains(peer) && !mind.by(peer).contains(dead)) {
                        return false;
                    }
                }
            }
            return true;
        }
    }

    /** Each crash excuses one suspicion by each neighbour, however late: late news is no mistake. */
    record Accuracy(Topology topology) implements Judge<Accuracy.Excuses> {
        /** @param excused by each node that went down: who may still suspect it for that */
        record Excuses(NodeSet down, SortedMap<NodeId, NodeSet> excused, boolean right) {}

        @Override
        public Property property() {
            return Property.ACCURACY;
        }

        @Override
        public Excuses start() {
            return new Excuses(NodeSet.NONE, Collections.emptySortedMap(), true);
        }

        @Override
        public Excuses after(Excuses mind, Happening seen) {
            return switch (seen) {
                case Suspected(var node, var peer) -> suspected(mind, node, peer);
                case Crashed(var node, var asking) ->
                    new Excuses(
                            mind.down.with(node),
                            put(mind.excused, node, topology.place(node).peers()),
                            mind.right);
                case Restarted(var node) -> new Excuses(mind.down.without(node), mind.excused, mind.right);
                default -> mind;
            };
        }

        private static Excuses suspected(Excuses mind, NodeId node, NodeId peer) {
            var excused = mind.excused.getOrDefault(peer, NodeSet.NONE);
            boolean right = mind.down.contains(peer) || excused.contains(node);
            return new Excuses(mind.down, put(mind.excused, peer, excused.without(node)), mind.right && right);
        }

        @Override
        public boolean holds(Excuses mind) {
            return mind.right;
        }
    }

    record EventualAccuracy() implements OfMinds {
        @Override
        public Property property() {
            return Property.EVENTUAL_ACCURACY;
        }

        @Override
        public boolean holds(Mind mind) {
            return mind.suspected.values().stream()
                    .allMatch(peers -> peers.without(mind.down).isEmpty());
        }
    }
}
