package habemus.service.algorithm;

import habemus.codec.ByteString;
import habemus.codec.Codec;
import habemus.codec.MalformedInputException;
import habemus.protocol.WireTags;
import java.nio.ByteBuffer;

/** What nodes say to each other. The first byte is the version; then the frame, as the codec writes it. */
@WireTags({
    PeerFrame.StatusReply.class,
    PeerFrame.StatusRequest.class,
    PeerFrame.AlgorithmMessage.class,
    PeerFrame.Follow.class,
    PeerFrame.GroupChanged.class,
    PeerFrame.OpenGroup.class
})
sealed interface PeerFrame {

    int VERSION = 1;

    /** Larger than whatever an algorithm says. */
    int MAX_BYTES = 1 << 20;

    Codec<PeerFrame> CODEC = Codec.of(PeerFrame.class);

    /** There is such a group. */
    record OpenGroup(GroupId group, String algorithm) implements PeerFrame {}

    /**
     * A message of an algorithm.
     *
     * @param number among those of the sender in this group
     */
    record AlgorithmMessage(GroupId group, String algorithm, long number, ByteString message) implements PeerFrame {}

    /** What do you know of your groups? */
    record StatusRequest(long queryId) implements PeerFrame {}

    record StatusReply(long queryId, NodeReport nodeReport) implements PeerFrame {}

    /** Tell me of every change of your groups from now on, and how they are now; or no longer. */
    record Follow(boolean isEnabled) implements PeerFrame {}

    /** A group has changed. */
    record GroupChanged(GroupStatus groupStatus) implements PeerFrame {}

    default byte[] toBytes() {
        var body = CODEC.write(this);
        return ByteBuffer.allocate(1 + body.length)
                .put((byte) VERSION)
                .put(body)
                .array();
    }

    /** @throws MalformedInputException if they are none */
    static PeerFrame read(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > MAX_BYTES || bytes[0] != VERSION) {
            throw new MalformedInputException(
                    bytes.length > MAX_BYTES
                            ? "a frame of " + bytes.length + " bytes"
                            : bytes.length == 0 ? "an empty frame" : "a frame of version " + bytes[0]);
        }
        return CODEC.read(ByteBuffer.wrap(bytes, 1, bytes.length - 1));
    }
}
