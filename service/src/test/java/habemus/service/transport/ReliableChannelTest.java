package habemus.service.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.codec.MalformedInputException;
import habemus.protocol.ByteString;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** FIFO and exactly once, over a link that loses the end of every connection. */
class ReliableChannelTest {

    private static final int MAX_BYTES = 1_000_000;
    private static final int SEEDS = 300;
    private static final int STEPS = 400;

    private static ByteString message(int number) {
        return ByteString.ofText("message " + number);
    }

    private static ChannelFrame.Numbered numbered(long number) {
        return new ChannelFrame.Numbered(number, 0, message((int) number));
    }

    @Test
    void a_message_is_numbered_and_delivered() {
        var channel = new ReliableChannel(MAX_BYTES);
        assertThat(channel.send(message(1))).contains(numbered(1));
        assertThat(channel.send(message(2))).contains(numbered(2));
        var receiver = new ReliableChannel(MAX_BYTES);
        assertThat(receiver.receive(numbered(1))).contains(message(1));
        assertThat(receiver.receive(numbered(2))).contains(message(2));
    }

    @Test
    void a_duplicate_and_a_message_after_a_gap_are_not_delivered() {
        var receiver = new ReliableChannel(MAX_BYTES);
        assertThat(receiver.receive(numbered(2))).isEmpty();
        assertThat(receiver.receive(numbered(1))).contains(message(1));
        assertThat(receiver.receive(numbered(1))).isEmpty();
        assertThat(receiver.unacknowledgedDeliveries()).isEqualTo(1);
    }

    @Test
    void a_new_connection_begins_with_all_unacknowledged_messages() {
        var channel = new ReliableChannel(MAX_BYTES);
        IntStream.rangeClosed(1, 3).forEach(i -> channel.send(message(i)));
        channel.onAcknowledged(1);
        assertThat(channel.onConnected()).containsExactly(numbered(2), numbered(3));
        channel.onAcknowledged(3);
        assertThat(channel.onConnected()).isEmpty();
    }

    @Test
    void every_message_in_the_other_direction_acknowledges() {
        var channel = new ReliableChannel(MAX_BYTES);
        channel.receive(numbered(1));
        assertThat(channel.send(message(1))).contains(new ChannelFrame.Numbered(1, 1, message(1)));
        assertThat(channel.unacknowledgedDeliveries()).isZero();
        channel.receive(numbered(2));
        assertThat(channel.acknowledge()).isEqualTo(new ChannelFrame.Acknowledgement(2));
        assertThat(channel.unacknowledgedDeliveries()).isZero();
    }

    @Test
    void a_message_that_does_not_fit_into_the_buffer_is_dropped_and_leaves_no_gap() {
        var channel = new ReliableChannel(2 * message(1).size());
        assertThat(channel.send(message(1))).isPresent();
        assertThat(channel.send(message(2))).isPresent();
        assertThat(channel.send(message(3))).isEmpty();
        channel.onAcknowledged(2);
        assertThat(channel.send(message(3))).contains(numbered(3));
    }

    @Test
    void an_acknowledgement_of_a_message_that_was_never_sent_is_malformed() {
        var channel = new ReliableChannel(MAX_BYTES);
        channel.send(message(1));
        assertThatThrownBy(() -> channel.onAcknowledged(2))
                .isInstanceOf(MalformedInputException.class)
                .hasMessage("the last message must be number 1, was acknowledged with number 2");
        channel.onAcknowledged(1);
        channel.onAcknowledged(0); // an old one
        assertThat(channel.onConnected()).isEmpty();
    }

    /** Two ends and a link between them. It delivers in order; when it ends, all frames in flight are lost. */
    private static final class LossyLink {
        private final SplittableRandom random;
        private final List<ReliableChannel> ends;
        private final List<ArrayDeque<ChannelFrame>> inFlight = List.of(new ArrayDeque<>(), new ArrayDeque<>());
        private final List<List<ByteString>> delivered = List.of(new ArrayList<>(), new ArrayList<>());
        private final List<List<ByteString>> sent = List.of(new ArrayList<>(), new ArrayList<>());
        private boolean isConnected;

        LossyLink(long seed, Supplier<ReliableChannel> channels) {
            random = new SplittableRandom(seed);
            ends = List.of(channels.get(), channels.get());
        }

        private void send(int from) {
            var message = message(sent.get(from).size() + 1);
            sent.get(from).add(message);
            var frame = ends.get(from).send(message).orElseThrow();
            if (isConnected) {
                inFlight.get(from).add(frame);
            }
        }

        private void deliver(int from) {
            var frame = inFlight.get(from).poll();
            int to = 1 - from;
            switch (frame) {
                case null -> {}
                case ChannelFrame.Numbered numbered ->
                    ends.get(to).receive(numbered).ifPresent(delivered.get(to)::add);
                case ChannelFrame.Acknowledgement(var number) -> ends.get(to).onAcknowledged(number);
                case ChannelFrame.Unnumbered unnumbered -> throw new AssertionError(unnumbered);
            }
        }

        /** Some frames in flight still arrive, and the others are lost: each direction has its own connection. */
        private void disconnect() {
            for (int from = 0; from < 2; from++) {
                for (int arrive = random.nextInt(inFlight.get(from).size() + 1); arrive > 0; arrive--) {
                    deliver(from);
                }
                inFlight.get(from).clear();
            }
            isConnected = false;
        }

        private void connect() {
            if (!isConnected) {
                isConnected = true;
                for (int end = 0; end < 2; end++) {
                    inFlight.get(end).addAll(ends.get(end).onConnected());
                }
            }
        }

        private void step() {
            int end = random.nextInt(2);
            switch (random.nextInt(10)) {
                case 0 -> disconnect();
                case 1, 2 -> connect();
                case 3 -> {
                    if (isConnected && ends.get(end).unacknowledgedDeliveries() > 0) {
                        inFlight.get(end).add(ends.get(end).acknowledge());
                    }
                }
                case 4, 5, 6 -> send(end);
                default -> deliver(end);
            }
        }

        /** In the end all messages have arrived once and in order, and no end keeps any. */
        private boolean isCorrect() {
            try {
                for (int i = 0; i < STEPS; i++) {
                    step();
                }
                connect();
                settle();
                inFlight.get(0).add(ends.get(0).acknowledge());
                inFlight.get(1).add(ends.get(1).acknowledge());
                settle();
            } catch (MalformedInputException wrongNumber) {
                return false;
            }
            return delivered.get(0).equals(sent.get(1))
                    && delivered.get(1).equals(sent.get(0))
                    && ends.stream().allMatch(end -> end.onConnected().isEmpty());
        }

        private void settle() {
            while (!inFlight.get(0).isEmpty() || !inFlight.get(1).isEmpty()) {
                deliver(0);
                deliver(1);
            }
        }
    }

    private static boolean isCorrect(Supplier<ReliableChannel> channels) {
        return IntStream.range(0, SEEDS).allMatch(seed -> new LossyLink(seed, channels).isCorrect());
    }

    @Test
    void all_messages_arrive_once_and_in_order_whenever_the_connection_ends() {
        assertThat(isCorrect(() -> new ReliableChannel(MAX_BYTES))).isTrue();
    }

    /** Channels with one defect each. */
    static Stream<Supplier<ReliableChannel>> mutants() {
        return Stream.of(ForgetsToResend::new, ResendsOnlyTheLast::new, DeliversTwice::new, DeliversAfterGap::new);
    }

    private static class ForgetsToResend extends ReliableChannel {
        ForgetsToResend() {
            super(MAX_BYTES);
        }

        @Override
        List<ChannelFrame> onConnected() {
            return List.of();
        }
    }

    private static class ResendsOnlyTheLast extends ReliableChannel {
        ResendsOnlyTheLast() {
            super(MAX_BYTES);
        }

        @Override
        List<ChannelFrame> onConnected() {
            var frames = super.onConnected();
            return frames.subList(Math.max(0, frames.size() - 1), frames.size());
        }
    }

    private static class DeliversTwice extends ReliableChannel {
        DeliversTwice() {
            super(MAX_BYTES);
        }

        @Override
        Optional<ByteString> receive(ChannelFrame.Numbered frame) {
            super.receive(frame);
            return Optional.of(frame.message());
        }
    }

    private static class DeliversAfterGap extends ReliableChannel {
        private long last;

        DeliversAfterGap() {
            super(MAX_BYTES);
        }

        @Override
        List<ChannelFrame> onConnected() {
            return super.onConnected().reversed();
        }

        @Override
        Optional<ByteString> receive(ChannelFrame.Numbered frame) {
            super.receive(frame);
            boolean isLater = frame.number() > last;
            last = Math.max(last, frame.number());
            return isLater ? Optional.of(frame.message()) : Optional.empty();
        }
    }

    @ParameterizedTest
    @MethodSource("mutants")
    void a_channel_with_a_defect_is_noticed(Supplier<ReliableChannel> mutant) {
        assertThat(isCorrect(mutant)).isFalse();
    }
}
