package habemus.simulate;

import habemus.protocol.NodeId;

/** An event packed into one long: its kind, its node and an argument whose meaning depends on the kind. */
final class PackedEvent {

    /** Argument: the number of the sender. */
    static final int MESSAGE = 0;
    /** Argument: the version of the timer. */
    static final int TIMER = 1;
    /** A request or release is due. Argument: the version in {@link WorkloadDriver}, or one of the two below. */
    static final int REQUEST = 2;

    static final int FAULT = 3;
    /** The detector reports a crash or restart. Argument: the number of the peer. */
    static final int DETECTOR = 4;
    /** Argument: the number of the sender. */
    static final int APP_MESSAGE = 5;
    /** The disk has synced a log. Argument: the generation of the sync, see {@link SimulationLoop}. */
    static final int SYNC = 6;

    /** A node learns of a change of the membership. Argument: the number of the view. */
    static final int VIEW = 7;

    /** The first of the requests that the workload has for a node. */
    static final int FROM_WORKLOAD = -1;
    /** One request besides these. */
    static final int FURTHER_REQUEST = -2;

    /** The bits of the kind and the node. */
    static final long KIND_AND_NODE = (1L << 23) - 1;

    private PackedEvent() {}

    static long of(int kind, int node, int argument) {
        return kind | (long) node << 3 | (argument & 0xFFFF_FFFFL) << 23;
    }

    static int kind(long event) {
        return (int) event & 7;
    }

    static int node(long event) {
        return (int) (event >>> 3) & NodeId.LIMIT - 1;
    }

    static int argument(long event) {
        return (int) (event >>> 23);
    }
}
