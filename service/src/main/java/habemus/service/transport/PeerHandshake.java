package habemus.service.transport;

/**
 * Decides which peers may connect: what this node says of itself, and what it accepts of others. Called by the thread
 * of the transport; must not block.
 */
public interface PeerHandshake {

    /** What this node says of itself when a connection begins; at most {@value #MAX_HELLO_BYTES} bytes. */
    byte[] hello();

    /**
     * Verifies what a peer says of itself. The transport has not authenticated the peer yet: if nodes have
     * certificates, it afterwards checks that the certificate names the node.
     *
     * @throws PeerRejectedException with a reason that the peer may be told
     */
    PeerIncarnation accept(byte[] hello);

    /** With the rest of its frame below 4 kB, which is what a node reads from an unknown peer. */
    int MAX_HELLO_BYTES = 3_072;
}
