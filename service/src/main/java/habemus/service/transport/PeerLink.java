package habemus.service.transport;

import habemus.concurrent.EventLoop;
import habemus.concurrent.EventLoop.Cancellable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The two connections between this node and a peer: this node opens the one for its messages, the peer opens the other.
 * If the connection of this node ends, it is opened again. Only on the event loop.
 */
final class PeerLink {

    private static final Duration MIN_BACK_OFF = Duration.ofMillis(50);
    private static final Duration MAX_BACK_OFF = Duration.ofSeconds(1);

    private final EventLoop loop;
    private final Function<Member, PeerConnection> dialer;
    private @Nullable Member member;
    private @Nullable PeerConnection outgoing;
    private @Nullable PeerConnection incoming;
    private @Nullable Cancellable retry;
    private Duration backOff = MIN_BACK_OFF;

    /** @param dialer opens a connection to a member */
    PeerLink(EventLoop loop, Function<Member, PeerConnection> dialer) {
        this.loop = loop;
        this.dialer = dialer;
    }

    /** The peer, if both connections are ready. */
    Optional<PeerIncarnation> connectedPeer() {
        return sender().map(PeerConnection::peer);
    }

    /** The connection for messages to the peer, if both connections are ready. */
    Optional<PeerConnection> sender() {
        return outgoing != null
                        && outgoing.isReady()
                        && incoming != null
                        && incoming.isReady()
                        && outgoing.peer().equals(incoming.peer())
                ? Optional.of(outgoing)
                : Optional.empty();
    }

    /** Whether nothing is left of the link. */
    boolean isUnused() {
        return member == null && incoming == null && outgoing == null;
    }

    /** Connects to a member from now on. */
    void connectTo(Member next) {
        if (next.equals(member)) {
            return;
        }
        member = next;
        if (outgoing != null) {
            outgoing.close("the address has changed");
        }
        dial();
    }

    /** Ends both connections, and opens none any more. The peer may connect again if the handshake accepts it. */
    void end(String reason) {
        if (member == null) {
            return; // this node has never connected to it
        }
        member = null;
        cancelRetry();
        if (outgoing != null) {
            outgoing.close(reason);
        }
        if (incoming != null) {
            incoming.close(reason);
        }
    }

    private void dial() {
        cancelRetry();
        if (member != null && outgoing == null) {
            outgoing = dialer.apply(member);
        }
    }

    private void cancelRetry() {
        if (retry != null) {
            retry.cancel();
            retry = null;
        }
    }

    /** @throws PeerRejectedException if a later incarnation of the peer is connected */
    void verifyLatest(PeerIncarnation peer) {
        if (incoming != null && incoming.peer().isLaterThan(peer)) {
            throw new PeerRejectedException(peer.node(), "a later incarnation of " + peer.node() + " is connected");
        }
    }

    /** A connection is ready. It replaces the one that the peer has opened before. */
    void onReady(PeerConnection connection) {
        backOff = MIN_BACK_OFF;
        if (connection.isOutgoing()) {
            return;
        }
        if (incoming != null) {
            incoming.close("replaced");
        }
        incoming = connection;
        dial(); // at once, because the peer is there
    }

    void onClosed(PeerConnection connection) {
        if (connection == incoming) {
            incoming = null;
        }
        if (connection == outgoing) {
            outgoing = null;
            scheduleRetry(Objects.requireNonNull(connection).isRejected());
        }
    }

    private void scheduleRetry(boolean isRejected) {
        if (member == null) {
            return;
        }
        var delay = isRejected ? MAX_BACK_OFF : jittered(backOff);
        backOff = backOff.multipliedBy(2).compareTo(MAX_BACK_OFF) < 0 ? backOff.multipliedBy(2) : MAX_BACK_OFF;
        retry = loop.schedule(delay, this::dial);
    }

    /** From half of the duration to all of it. */
    private static Duration jittered(Duration duration) {
        long nanos = duration.toNanos();
        return Duration.ofNanos(ThreadLocalRandom.current().nextLong(nanos / 2, nanos + 1));
    }
}
