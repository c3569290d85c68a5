package habemus.lockservice.protocol;

import habemus.lockservice.Deadlock;
import habemus.lockservice.OperationResult;
import habemus.lockservice.ResourceName;
import habemus.lockservice.ResourceStatus;
import habemus.protocol.WireTags;
import java.util.List;

/** What goes over a client's connection, each as its length (four bytes, highest first) and its bytes. */
public sealed interface ClientFrame {

    /** The version of all this; whoever speaks another one is told so. */
    int VERSION = 1;

    /** The longest, in bytes. */
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
     * The first one on every connection.
     *
     * @param token proves who it is, where that is asked for; else empty
     */
    record Hello(int version, String token) implements ToService {}

    record Request(Message.ClientRequest clientRequest) implements ToService {}

    /** @param number repeated in the answer */
    record Describe(long number, ResourceName resourceName) implements ToService {}

    record ListDeadlocks(long number) implements ToService {}

    /**
     * The answer to Hello, and again whenever something of it changes.
     *
     * @param node its name
     * @param endpoints where clients can connect to the nodes of the service, this one first, then who leads, be it this
     *     one again, or if nobody knows; then the others
     * @param faultTolerant whether the service survives the loss of a node
     */
    record Welcome(int version, String node, List<String> endpoints, boolean faultTolerant) implements ToClient {}

    record Reply(Message.ServerReply serverReply) implements ToClient {}

    record Description(long number, ResourceStatus status) implements ToClient {}

    record DeadlockList(long number, List<Deadlock> deadlocks) implements ToClient {}

    /** The answer to a look that this client has no right to. It is served as before. */
    record QueryDenied(long number, ConnectionRejected reason) implements ToClient {}

    /** This client is not served, and the connection is closed after it. About a single request see {@link OperationResult}. */
    record ConnectionRejected(String code, String message, String hint) implements ToClient {}
}
