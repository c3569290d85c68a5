package habemus.service.net;

import habemus.protocol.NodeId;

/**
 * One life of a node.
 *
 * @param incarnation larger than that of every life before
 */
public record Peer(NodeId node, long incarnation) {

    public boolean isLaterThan(Peer other) {
        return incarnation > other.incarnation;
    }

    @Override
    public String toString() {
        return node + "#" + incarnation;
    }
}
