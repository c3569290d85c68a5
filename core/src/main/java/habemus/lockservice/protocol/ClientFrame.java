package habemus.lockservice.protocol;

import habemus.lockservice.Deadlock;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
import habemus.protocol.WireTags;
import java.util.List;

/** A frame of a client connection: its length (four bytes, big-endian), then its bytes. */
public sealed interface ClientFrame {

    /** Version of the client protocol. A node rejects clients of another version. */
    int VERSION = 3;

    /** Maximum length of a frame in bytes. */
    int MAX_FRAME_BYTES = 1 << 20;

    @WireTags({Hello.class, Describe.class, ListDeadlocks.class, Request.class})
    sealed interface ToService extends ClientFrame {}

    @WireTags({
        ConnectionRejected.class,
        Description.class,
        DeadlockList.class,
        Reply.class,
        Welcome.class,
        QueryDenied.class
    })
    sealed interface ToClient extends ClientFrame {}

    /**
     * The first frame of every connection.
     *
     * @param token authenticates the client where the service requires one; else empty
     * @param clusterId the cluster of the client's session; empty if it has none yet. Other clusters reject the client.
     */
    record Hello(int version, String token, String clusterId) implements ToService {
        /** Does not show the token. */
        @Override
        public String toString() {
            return "Hello[version=" + version + ", clusterId=" + clusterId + "]";
        }
    }

    /** A request of the client's session. */
    record Request(Message.ClientRequest request) implements ToService {}

    /**
     * Asks for the status of a resource.
     *
     * @param number the client's number for this query, repeated in the reply
     */
    record Describe(long number, ResourceName name) implements ToService {}

    /** Asks for all deadlocks. */
    record ListDeadlocks(long number) implements ToService {}

    /**
     * The reply to {@link Hello}, sent again whenever one of its values changes.
     *
     * @param clusterId identity of the cluster; empty if it keeps nothing on disk
     * @param node name of the node
     * @param endpoints client addresses of all nodes: this node first, then the leader, then the others. If this node
     *     leads, or no leader is known, this node is named twice.
     * @param faultTolerant whether the service survives the loss of a node
     */
    record Welcome(int version, String clusterId, String node, List<String> endpoints, boolean faultTolerant)
            implements ToClient {}

    /** A reply to the client's session. */
    record Reply(Message.ServerReply reply) implements ToClient {}

    record Description(long number, ResourceStatus status) implements ToClient {}

    record DeadlockList(long number, List<Deadlock> deadlocks) implements ToClient {}

    /** The client has no permission for this query. The connection stays open. */
    record QueryDenied(long number, ConnectionRejected reason) implements ToClient {}

    /** The node rejects the client and closes the connection. For rejected requests see {@link OperationResult}. */
    record ConnectionRejected(String code, String message, String hint) implements ToClient {}
}
