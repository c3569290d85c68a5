package habemus.harness.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** A TCP connection between two processes. Each direction delivers its frames in order until the connection ends. */
final class VirtualConnection {

    /** Receives the frames of one end, on the loop of its process. */
    interface Receiver {

        void onFrame(int kind, byte[] bytes);

        /** The connection has ended: the other side closed it, or it broke. Not called after {@link End#close}. */
        void onClosed();
    }

    private static final int CLOSE = -1;
    private static final byte[] NO_BYTES = {};

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Frame(int kind, byte[] bytes) {}

    /** One end: what its process sends goes to the other end. */
    final class End {
        private final VirtualNetwork.Host host;
        private final Deque<Frame> inFlight = new ArrayDeque<>(); // from this end
        private final Runnable arrival = this::arrive;
        private @Nullable Receiver receiver;
        private long lastArrivalNanos;
        private boolean isStalled;
        private boolean isClosed; // this end receives nothing any more

        private End(VirtualNetwork.Host host) {
            this.host = host;
        }

        VirtualNetwork.Host host() {
            return host;
        }

        private End other() {
            return this == first ? second : first;
        }

        /** Call it on the loop of the process, when the end is handed over. */
        void setReceiver(Receiver next) {
            receiver = next;
            if (isClosed) {
                host.loop().execute(next::onClosed);
            }
        }

        boolean isClosed() {
            return isClosed;
        }

        /** Sends a frame, unless this end is closed. */
        void send(int kind, byte[] bytes) {
            if (!isClosed && !host.loop().isEnded()) {
                network.trace()
                        .add((long) host.process() << 32 | (long) other().host.process() << 16 | kind, bytes);
                transmit(new Frame(kind, bytes));
            }
        }

        private void transmit(Frame frame) {
            inFlight.add(frame);
            if (!isStalled) {
                long delay = network.drawDelay(host.process(), other().host.process());
                planArrival(host.loop().virtualNow() + delay);
            }
        }

        private void planArrival(long nanos) {
            lastArrivalNanos = Math.max(lastArrivalNanos, nanos);
            network.time().at(lastArrivalNanos, arrival);
        }

        private void arrive() {
            if (inFlight.isEmpty() || isStalled) {
                return;
            }
            if (network.isCut(host.process(), other().host.process())) {
                isStalled = true;
                return;
            }
            var frame = inFlight.remove();
            if (other().host.loop().isEnded()) {
                network.reset(this, other().host);
            } else {
                other().host.loop().execute(() -> other().receive(frame));
            }
        }

        private void receive(Frame frame) {
            if (isClosed) {
                return;
            }
            if (frame.kind == CLOSE) {
                closeLocally();
            } else if (receiver != null) {
                receiver.onFrame(frame.kind, frame.bytes);
            }
        }

        /** Closes the connection. The other side learns it after all frames that were sent before. */
        void close() {
            if (!isClosed) {
                transmit(new Frame(CLOSE, NO_BYTES));
                vanish();
            }
        }

        /** This side has missed the pings of the other, and closes the connection. */
        void expire() {
            if (!isClosed) {
                transmit(new Frame(CLOSE, NO_BYTES));
                closeLocally();
            }
        }

        /** This side ends without telling the other. */
        void vanish() {
            isClosed = true;
            if (other().isClosed) {
                network.onEnded(VirtualConnection.this);
            }
        }

        /** The connection has ended for this side. */
        void closeLocally() {
            if (!isClosed) {
                vanish();
                if (receiver != null) {
                    receiver.onClosed();
                }
            }
        }
    }

    private final VirtualNetwork network;
    private final boolean hasPings;
    private final End first;
    private final End second;

    VirtualConnection(VirtualNetwork network, VirtualNetwork.Host from, VirtualNetwork.Host to, boolean hasPings) {
        this.network = network;
        this.hasPings = hasPings;
        first = new End(from);
        second = new End(to);
    }

    boolean hasPings() {
        return hasPings;
    }

    boolean isOf(int process) {
        return first.host.process() == process || second.host.process() == process;
    }

    boolean isBetween(int one, int other) {
        return isOf(one) && isOf(other);
    }

    /** The end of this process. */
    End end(int process) {
        return first.host.process() == process ? first : second;
    }

    /** The end of the other process. */
    End other(int process) {
        return end(process).other();
    }

    /** Sends again what a cut has held back from this process. */
    void retransmit(int from, long delayNanos) {
        var end = end(from);
        if (end.isStalled) {
            end.isStalled = false;
            for (int i = 0; i < end.inFlight.size(); i++) {
                end.planArrival(network.time().now() + delayNanos);
            }
        }
    }

    /** Breaks the connection: frames in flight are lost, and each side notices it after a while. */
    void breakNow(long firstNanos, long secondNanos) {
        first.inFlight.clear();
        second.inFlight.clear();
        network.time().after(firstNanos, () -> first.host.loop().execute(first::closeLocally));
        network.time().after(secondNanos, () -> second.host.loop().execute(second::closeLocally));
    }
}
