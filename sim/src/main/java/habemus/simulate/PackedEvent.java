package habemus.simulate;

import habemus.protocol.NodeId;

/** What comes next, packed into one long: what it is, at which node, and a number that depends on what it is. */
final class PackedEvent {

    /** The number is that of the sender. */
    static final int MESSAGE = 0;
    /** The number is the version of the alarm. */
    static final int TIMER = 1;
    /** The number is the version of the application's plan, or {@link #FROM_WORKLOAD}. */
    static final int REQUEST = 2;

    static final int FAULT = 3;
    /** The number is that of the peer of whom the detector has news. */
    static final int DETECTOR = 4;
    /** The number is that of the sender. */
    static final int APP_MESSAGE = 5;

    static final int FROM_WORKLOAD = -1;

    private PackedEvent() {}

    static long of(int kind, int node, int number) {
        return kind | (long) node << 3 | (number & 0xFFFF_FFFFL) << 23;
    }

    static int kind(long cue) {
        return (int) cue & 7;
    }

    static int node(long cue) {
        return (int) (cue >>> 3) & NodeId.LIMIT - 1;
    }

    static int argument(long cue) {
        return (int) (cue >>> 23);
    }
}
