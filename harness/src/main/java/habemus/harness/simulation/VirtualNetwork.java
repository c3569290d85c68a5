package habemus.harness.simulation;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The network between all processes of a run. It behaves as TCP does: a connection delivers its frames in order, or
 * breaks. A cut direction delivers nothing until it is healed; frames of different connections overtake each other.
 *
 * <p>Processes are numbered from zero.
 */
final class VirtualNetwork {

    private static final long MIN_DELAY_NANOS = 100_000;
    private static final long MAX_DELAY_NANOS = 2_000_000;
    private static final long MAX_RETRANSMISSION_NANOS = 200_000_000;

    /** Peers send pings; a connection without bytes for this time is closed by the side that misses them. */
    private static final long MIN_SILENCE_NANOS = 2_000_000_000L;

    private static final long MAX_SILENCE_NANOS = 2_500_000_000L;

    private static final long CONNECT_TIMEOUT_NANOS = 2_000_000_000L;

    /** Accepts the connections of a process. */
    interface Acceptor {

        /** Called on the loop of the process. */
        void onConnected(VirtualConnection.End end);
    }

    /** One life of a process, from its start to its end. */
    static final class Host {
        private final int process;
        private final VirtualLoop loop;
        private @Nullable Acceptor peerAcceptor;
        private @Nullable Acceptor clientAcceptor;

        private Host(int process, VirtualLoop loop) {
            this.process = process;
            this.loop = loop;
        }

        int process() {
            return process;
        }

        VirtualLoop loop() {
            return loop;
        }

        void setPeerAcceptor(@Nullable Acceptor next) {
            peerAcceptor = next;
        }

        void setClientAcceptor(@Nullable Acceptor next) {
            clientAcceptor = next;
        }
    }

    private final VirtualTime time;
    private final RunTrace trace;
    private final RandomGenerator random;
    private final int size;
    private final @Nullable Host[] hosts;
    private final int[] cuts; // by direction, how many faults cut it
    private final long[] slowNanos; // by direction, the largest additional delay
    private final long[] cutSince;
    private final Set<VirtualConnection> connections = new LinkedHashSet<>(); // that are open for one of their ends

    VirtualNetwork(VirtualTime time, RunTrace trace, RandomGenerator random, int processes) {
        this.time = time;
        this.trace = trace;
        this.random = random;
        size = processes;
        hosts = new Host[processes];
        cuts = new int[processes * processes];
        slowNanos = new long[processes * processes];
        cutSince = new long[processes * processes];
    }

    VirtualTime time() {
        return time;
    }

    RunTrace trace() {
        return trace;
    }

    /** A process starts. */
    Host start(int process, VirtualLoop loop) {
        var host = new Host(process, loop);
        hosts[process] = host;
        return host;
    }

    /**
     * A process ends. What it has sent arrives.
     *
     * @param isSilent whether its machine ends too, so that no connection is closed
     */
    void end(Host host, boolean isSilent) {
        if (host.equals(hosts[host.process])) {
            hosts[host.process] = null;
        }
        for (var connection : connectionsOf(host.process)) {
            if (connection.end(host.process).host().equals(host)) {
                end(connection, host, isSilent);
            }
        }
    }

    private void end(VirtualConnection connection, Host host, boolean isSilent) {
        var end = connection.end(host.process);
        if (!isSilent) {
            end.close();
            return;
        }
        end.vanish();
        if (connection.hasPings()) {
            var other = connection.other(host.process);
            long patience = random.nextLong(MIN_SILENCE_NANOS, MAX_SILENCE_NANOS);
            time.after(patience, () -> other.host().loop().execute(other::closeLocally));
        }
    }

    /** A frame has arrived for a process that has ended. If its machine is up again, that refuses the connection. */
    void reset(VirtualConnection.End sender, Host ended) {
        if (hosts[ended.process] != null) {
            long delay = drawDelay(ended.process, sender.host().process());
            time.after(delay, () -> sender.host().loop().execute(sender::closeLocally));
        }
    }

    void onEnded(VirtualConnection connection) {
        connections.remove(connection);
    }

    /** The pings of this process stop, because it is paused. */
    void onPaused(Host host) {
        for (int other = 0; other < size; other++) {
            checkSilence(host.process, other);
        }
    }

    private int direction(int from, int to) {
        return from * size + to;
    }

    boolean isCut(int from, int to) {
        return cuts[direction(from, to)] > 0;
    }

    void cut(int from, int to) {
        if (cuts[direction(from, to)]++ == 0) {
            cutSince[direction(from, to)] = time.now();
            checkSilence(from, to);
        }
    }

    void heal(int from, int to) {
        if (--cuts[direction(from, to)] == 0) {
            for (var connection : between(from, to)) {
                connection.retransmit(from, random.nextLong(MAX_RETRANSMISSION_NANOS));
            }
        }
    }

    /** Frames in this direction take up to this much longer. */
    void slowDown(int from, int to, long nanos) {
        slowNanos[direction(from, to)] = nanos;
    }

    /** Between nodes only: clients find out themselves. */
    private void checkSilence(int from, int to) {
        long patience = random.nextLong(MIN_SILENCE_NANOS, MAX_SILENCE_NANOS);
        time.after(patience, () -> {
            var sender = hosts[from];
            boolean isSilent = isCut(from, to) && time.now() - cutSince[direction(from, to)] >= MIN_SILENCE_NANOS
                    || sender != null && sender.loop.isPaused();
            if (isSilent) {
                for (var connection : between(from, to)) {
                    var end = connection.other(from);
                    if (connection.hasPings()) {
                        end.host().loop().execute(end::expire);
                    }
                }
            }
        });
    }

    /** The connections between two processes that one of them has not closed. */
    List<VirtualConnection> between(int one, int other) {
        var found = new ArrayList<VirtualConnection>();
        for (var connection : connections) {
            if (connection.isBetween(one, other)) {
                found.add(connection);
            }
        }
        return found;
    }

    /** The connections of a process that it or the other side has not closed. */
    List<VirtualConnection> connectionsOf(int process) {
        return connections.stream()
                .filter(connection -> connection.isOf(process))
                .toList();
    }

    long drawDelay(int from, int to) {
        long slow = slowNanos[direction(from, to)];
        return random.nextLong(MIN_DELAY_NANOS, MAX_DELAY_NANOS) + (slow == 0 ? 0 : random.nextLong(slow));
    }

    /** Wants a connection. Called on the loop of its process. */
    interface Dialer {

        void onOpened(VirtualConnection.End end);

        void onFailed();
    }

    /**
     * Opens a connection. If the other process does not run, it is refused; if the network is cut, it times out.
     *
     * @param isPeer whether it is a connection between nodes; these send pings, and so notice that the other is silent
     */
    void connect(Host from, int to, boolean isPeer, Dialer dialer) {
        long there = drawDelay(from.process, to);
        long back = drawDelay(to, from.process);
        time.at(from.loop.virtualNow() + there, () -> {
            var target = hosts[to];
            var acceptor = target == null ? null : isPeer ? target.peerAcceptor : target.clientAcceptor;
            boolean isCut = isCut(from.process, to) || isCut(to, from.process);
            if (from.loop.isEnded()) {
                return;
            }
            if (isCut || target == null || acceptor == null) {
                time.after(isCut ? CONNECT_TIMEOUT_NANOS : back, () -> from.loop.execute(dialer::onFailed));
                return;
            }
            var connection = new VirtualConnection(this, from, target, isPeer);
            connections.add(connection);
            target.loop.execute(() -> acceptor.onConnected(connection.end(to)));
            time.after(back, () -> from.loop.execute(() -> dialer.onOpened(connection.end(from.process))));
        });
    }
}
