package habemus.service.node;

import habemus.protocol.WireTags;
import habemus.wire.Blob;
import habemus.wire.Codec;
import habemus.wire.Malformed;
import java.nio.ByteBuffer;

/** What nodes say to each other. The first byte is the version; then the frame, as the codec writes it. */
@WireTags({
    Frame.Answer.class,
    Frame.Ask.class,
    Frame.Carry.class,
    Frame.Follow.class,
    Frame.News.class,
    Frame.Open.class
})
sealed interface Frame {

    int VERSION = 1;

    /** Larger than whatever an algorithm says. */
    int LARGEST = 1 << 20;

    Codec<Frame> CODEC = Codec.of(Frame.class);

    /** There is such a group. */
    record Open(GroupId group, String recipe) implements Frame {}

    /**
     * A message of an algorithm.
     *
     * @param number among those of the sender in this group
     */
    record Carry(GroupId group, String recipe, long number, Blob message) implements Frame {}

    /** What do you know of your groups? */
    record Ask(long number) implements Frame {}

    record Answer(long number, Report report) implements Frame {}

    /** Tell me of every change of your groups from now on, and how they are now; or no longer. */
    record Follow(boolean wanted) implements Frame {}

    /** A group has changed. */
    record News(Account account) implements Frame {}

    default byte[] toBytes() {
        var body = CODEC.write(this);
        return ByteBuffer.allocate(1 + body.length)
                .put((byte) VERSION)
                .put(body)
                .array();
    }

    /** @throws Malformed if they are none */
    static Frame read(byte[] bytes) {
        if (bytes.length == 0 || bytes.length > LARGEST || bytes[0] != VERSION) {
            throw new Malformed(
                    bytes.length > LARGEST
                            ? "a frame of " + bytes.length + " bytes"
                            : bytes.length == 0 ? "an empty frame" : "a frame of version " + bytes[0]);
        }
        return CODEC.read(ByteBuffer.wrap(bytes, 1, bytes.length - 1));
    }
}
