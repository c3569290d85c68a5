package habemus.service.transport;

import habemus.protocol.NodeId;
import java.util.Optional;

/** A peer may not connect. The message is a reason that the peer may be told. */
public final class PeerRejectedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final transient Optional<NodeId> peer;

    /** The peer has not said which node it is. */
    public PeerRejectedException(String reason) {
        super(reason);
        peer = Optional.empty();
    }

    /** @param peer the node that the peer claims to be */
    public PeerRejectedException(NodeId peer, String reason) {
        super(reason);
        this.peer = Optional.of(peer);
    }

    public String reason() {
        return String.valueOf(getMessage());
    }

    /** The node that the peer claims to be; empty if it is unknown. */
    public Optional<NodeId> peer() {
        return peer;
    }
}
