package habemus.service.transport;

import habemus.codec.MalformedInputException;
import habemus.protocol.ByteString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One end of a channel between two incarnations: FIFO, and exactly once across reconnects. It is pure: the caller
 * transmits the frames. For one thread.
 *
 * <p>The sender numbers its messages, and keeps each until the receiver acknowledges it. A connection that ends loses
 * its last messages. So the sender transmits all unacknowledged messages again on the next connection (go-back-N). The
 * receiver delivers only the next number: a lower one was delivered already, and a higher one comes again.
 *
 * <pre>
 *   sender   1 2 3 ──▶   connection ends, 2 and 3 are lost   2 3 4 ──▶
 *   receiver ◀── acknowledged 1                              ◀── acknowledged 4
 * </pre>
 */
class ReliableChannel { // not final: a test replaces single methods by wrong ones

    private final int maxBufferedBytes;
    private final ArrayDeque<ByteString> unacknowledged = new ArrayDeque<>(); // the oldest first
    private int bufferedBytes;
    private long acknowledgedByPeer;
    private long delivered;
    private long acknowledged; // number in the last frame to the peer

    /** @param maxBufferedBytes of all unacknowledged messages */
    ReliableChannel(int maxBufferedBytes) {
        this.maxBufferedBytes = maxBufferedBytes;
    }

    /** Numbers a message and keeps it. Empty if the buffer is full: then the message is dropped and has no number. */
    Optional<ChannelFrame> send(ByteString message) {
        if (bufferedBytes + message.size() > maxBufferedBytes) {
            return Optional.empty();
        }
        unacknowledged.add(message);
        bufferedBytes += message.size();
        return Optional.of(numbered(acknowledgedByPeer + unacknowledged.size(), message));
    }

    private ChannelFrame numbered(long number, ByteString message) {
        acknowledged = delivered;
        return new ChannelFrame.Numbered(number, delivered, message);
    }

    /** The frames to transmit on a new connection, before any other. */
    List<ChannelFrame> onConnected() {
        var frames = new ArrayList<ChannelFrame>();
        for (ByteString message : unacknowledged) {
            frames.add(numbered(acknowledgedByPeer + frames.size() + 1, message));
        }
        return frames;
    }

    /**
     * The message to deliver; empty if it was delivered before, or comes again.
     *
     * @throws MalformedInputException if the peer acknowledges what was never sent
     */
    Optional<ByteString> receive(ChannelFrame.Numbered frame) {
        onAcknowledged(frame.acknowledged());
        if (frame.number() != delivered + 1) {
            return Optional.empty();
        }
        delivered = frame.number();
        return Optional.of(frame.message());
    }

    /** @throws MalformedInputException if the peer acknowledges what was never sent */
    void onAcknowledged(long number) {
        if (number > acknowledgedByPeer + unacknowledged.size()) {
            throw new MalformedInputException("the last message must be number "
                    + (acknowledgedByPeer + unacknowledged.size()) + ", was acknowledged with number " + number);
        }
        for (; acknowledgedByPeer < number; acknowledgedByPeer++) {
            bufferedBytes -= unacknowledged.remove().size();
        }
    }

    /** Number of delivered messages of which the peer does not know. */
    long unacknowledgedDeliveries() {
        return delivered - acknowledged;
    }

    /** Acknowledges all delivered messages. */
    ChannelFrame acknowledge() {
        acknowledged = delivered;
        return new ChannelFrame.Acknowledgement(delivered);
    }
}
