package habemus.service.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LengthPrefixedFrameDecoderTest {

    private static final int MAX_BYTES = 200_000;

    private final LengthPrefixedFrameDecoder decoder = new LengthPrefixedFrameDecoder(MAX_BYTES, System::nanoTime);
    private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

    private List<byte[]> decoded() {
        var frames = new ArrayList<byte[]>();
        for (byte[] frame = channel.readInbound(); frame != null; frame = channel.readInbound()) {
            frames.add(frame);
        }
        return frames;
    }

    @Test
    void frames_may_arrive_in_pieces_of_any_size() {
        var random = new SplittableRandom(1);
        var frames = new ArrayList<byte[]>();
        var bytes = Unpooled.buffer();
        for (int size : new int[] {0, 1, 3, 0, 70_000, 5, MAX_BYTES, 64 << 10, 2}) {
            var frame = new byte[size];
            random.nextBytes(frame);
            frames.add(frame);
            bytes.writeInt(size).writeBytes(frame);
        }
        while (bytes.isReadable()) {
            int n = Math.min(bytes.readableBytes(), 1 + random.nextInt(random.nextBoolean() ? 3 : 100_000));
            channel.writeInbound(bytes.readRetainedSlice(n));
        }
        assertThat(decoded()).usingRecursiveComparison().isEqualTo(frames);
    }

    @Test
    void a_length_over_the_limit_is_an_error_and_ends_the_stream() {
        assertThatThrownBy(() -> channel.writeInbound(Unpooled.buffer().writeInt(MAX_BYTES + 1)))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessage("a frame must have 0 to 200000 bytes, had 200001");
        channel.writeInbound(Unpooled.buffer().writeInt(1).writeByte(7));
        assertThat(decoded()).isEmpty();
    }

    @Test
    void a_negative_length_is_an_error() {
        assertThatThrownBy(() -> channel.writeInbound(Unpooled.buffer().writeInt(-1)))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessage("a frame must have 0 to 200000 bytes, had 4294967295");
    }

    @Test
    void the_limit_may_change_between_two_frames() {
        decoder.setMaxBytes(MAX_BYTES + 1);
        channel.writeInbound(Unpooled.buffer().writeInt(MAX_BYTES + 1).writeZero(MAX_BYTES + 1));
        assertThat(decoded()).hasSize(1);
    }
}
