package habemus.election;

import habemus.protocol.Neighbourhood;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.WireTags;
import java.util.List;

/**
 * The state of a node in {@link GossipLargeGroup}.
 *
 * @param neighbourhood instead of a set of peers, which would be too large
 * @param number of the newest election that the node knows
 */
public record GossipState(Neighbourhood neighbourhood, long number, Phase phase) {

    public enum Timer {
        ROUND
    }

    @WireTags({Phase.Asking.class, Phase.Following.class, Phase.Idle.class, Phase.Leading.class, Phase.Relaying.class})
    public sealed interface Phase {
        record Idle() implements Phase {}

        record Asking() implements Phase {}

        /**
         * @param best the best relay that this relay knows
         * @param roundsLeft the number of rounds that it still gossips
         * @param askers the nodes that get the result
         */
        record Relaying(List<NodeId> relays, NodeId best, int roundsLeft, NodeSet askers) implements Phase {}

        record Following(NodeId leader) implements Phase {}

        record Leading() implements Phase {}
    }

    public GossipState in(Phase next) {
        return new GossipState(neighbourhood, number, next);
    }

    public NodeId self() {
        return neighbourhood.self();
    }

    public boolean hasLeader() {
        return phase instanceof Phase.Following || phase instanceof Phase.Leading;
    }
}
