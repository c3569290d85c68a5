package habemus.service.algorithm;

import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.protocol.ByteString;
import habemus.protocol.WireTags;
import java.nio.ByteBuffer;

/** A frame between nodes. The first byte is the version, the rest is the encoded frame. */
@WireTags({
    PeerFrame.StatusReply.class,
    PeerFrame.StatusRequest.class,
    PeerFrame.AlgorithmMessage.class,
    PeerFrame.Follow.class,
    PeerFrame.GroupChanged.class,
    PeerFrame.OpenGroup.class,
    PeerFrame.DetectorMessage.class,
    MembershipFrame.class
})
sealed interface PeerFrame
        permits PeerFrame.OpenGroup,
                PeerFrame.AlgorithmMessage,
                PeerFrame.DetectorMessage,
                PeerFrame.StatusRequest,
                PeerFrame.StatusReply,
                PeerFrame.Follow,
                PeerFrame.GroupChanged,
                MembershipFrame {

    int VERSION = 1;

    /** Larger than every message of an algorithm. */
    int MAX_BYTES = 1 << 20;

    Codec<PeerFrame> CODEC = Codec.of(PeerFrame.class);

    /** Opens a group at the receiver. */
    record OpenGroup(GroupId group, String algorithm) implements PeerFrame {}

    /**
     * A message of an algorithm.
     *
     * @param number of the message, counted by its sender in this group
     */
    record AlgorithmMessage(GroupId group, String algorithm, long number, ByteString message) implements PeerFrame {}

    /**
     * A message of the failure detector.
     *
     * @param detector with its options; the same on all nodes
     */
    record DetectorMessage(String detector, ByteString message) implements PeerFrame {}

    /** Asks for the status of all groups. */
    record StatusRequest(long queryId) implements PeerFrame {}

    record StatusReply(long queryId, NodeReport nodeReport) implements PeerFrame {}

    /** Asks for the current status and every change of all groups, or for no more changes. */
    record Follow(boolean isEnabled) implements PeerFrame {}

    /** A group of the sender has changed. */
    record GroupChanged(GroupStatus groupStatus) implements PeerFrame {}

    default byte[] toBytes() {
        var body = CODEC.write(this);
        return ByteBuffer.allocate(1 + body.length)
                .put((byte) VERSION)
                .put(body)
                .array();
    }

    /** @throws MalformedInputException if the bytes are not a frame of this version */
    static PeerFrame read(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > MAX_BYTES || bytes[0] != VERSION) {
            throw new MalformedInputException(
                    bytes.length == 0 || bytes.length > MAX_BYTES
                            ? "a frame must have 1 to " + MAX_BYTES + " bytes, had " + bytes.length
                            : "the frame version must be " + VERSION + ", was " + bytes[0]);
        }
        return CODEC.read(ByteBuffer.wrap(bytes, 1, bytes.length - 1));
    }
}
