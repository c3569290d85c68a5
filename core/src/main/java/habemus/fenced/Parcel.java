package habemus.fenced;

import habemus.protocol.WireTags;
import java.util.List;

/** What goes over a client's connection, each as its length (four bytes, highest first) and its bytes. */
public sealed interface Parcel {

    /** The version of all this; whoever speaks another one is told so. */
    int VERSION = 1;

    /** The longest, in bytes. */
    int LENGTH_MAX = 1 << 20;

    @WireTags({Hello.class, Look.class, LookForDeadlocks.class, Said.class})
    sealed interface ToService extends Parcel {}

    @WireTags({Refused.class, Seen.class, SeenDeadlocks.class, Told.class, Welcome.class, Withheld.class})
    sealed interface ToClient extends Parcel {}

    /**
     * The first one on every connection.
     *
     * @param token proves who it is, where that is asked for; else empty
     */
    record Hello(int version, String token) implements ToService {}

    record Said(Talk.Request request) implements ToService {}

    /** @param number repeated in the answer */
    record Look(long number, Name name) implements ToService {}

    record LookForDeadlocks(long number) implements ToService {}

    /**
     * The answer to Hello, and again whenever something of it changes.
     *
     * @param node its name
     * @param doors where clients can connect to the nodes of the service, this one first, then who leads, be it this
     *     one again, or if nobody knows; then the others
     * @param faultTolerant whether the service survives the loss of a node
     */
    record Welcome(int version, String node, List<String> doors, boolean faultTolerant) implements ToClient {}

    record Told(Talk.Reply reply) implements ToClient {}

    record Seen(long number, Description description) implements ToClient {}

    record SeenDeadlocks(long number, List<Deadlock> deadlocks) implements ToClient {}

    /** The answer to a look that this client has no right to. It is served as before. */
    record Withheld(long number, Refused why) implements ToClient {}

    /** This client is not served, and the connection is closed after it. About a single request see {@link Answer}. */
    record Refused(String code, String message, String hint) implements ToClient {}
}
