package habemus.service.transport;

import habemus.protocol.NodeId;

/**
 * One life of a node.
 *
 * @param incarnation larger than that of every life before
 */
public record PeerIncarnation(NodeId node, long incarnation) {

    public boolean isLaterThan(PeerIncarnation other) {
        return incarnation > other.incarnation;
    }

    @Override
    public String toString() {
        return node + "#" + incarnation;
    }
}
