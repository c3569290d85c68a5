package habemus.service.transport;

import habemus.codec.Codec;
import habemus.protocol.ByteString;
import habemus.protocol.WireTags;

/** A frame of a {@link ReliableTransport}. */
@WireTags({ChannelFrame.Acknowledgement.class, ChannelFrame.Numbered.class, ChannelFrame.Unnumbered.class})
sealed interface ChannelFrame {

    Codec<ChannelFrame> CODEC = Codec.of(ChannelFrame.class);

    /**
     * A message that is delivered exactly once.
     *
     * @param number of the message; the first one between two incarnations has number 1
     * @param acknowledged number of the last message that the sender of this frame has delivered
     */
    record Numbered(long number, long acknowledged, ByteString message) implements ChannelFrame {}

    /** @param acknowledged number of the last message that the sender of this frame has delivered */
    record Acknowledgement(long acknowledged) implements ChannelFrame {}

    /** A message that is lost if the connection ends. */
    record Unnumbered(ByteString message) implements ChannelFrame {}
}
