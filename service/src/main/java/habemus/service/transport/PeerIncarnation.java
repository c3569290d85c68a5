package habemus.service.transport;

import habemus.protocol.NodeId;

/**
 * One run of a node, from its start to its end.
 *
 * @param incarnation grows with every start of the node
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
