package habemus.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.AlgorithmSpec;
import habemus.catalogue.Catalogue;
import habemus.mutex.Central;
import habemus.mutex.Quorum;
import habemus.mutex.RicartAgrawala;
import habemus.protocol.ByteString;
import habemus.protocol.Durable;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.protocol.Stamp;
import habemus.protocol.WireTags;
import habemus.simulate.RunLimits;
import habemus.simulate.Simulation;
import habemus.world.Problem;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CodecTest {

    @WireTags({Sample.Empty.class, Sample.Numbers.class, Sample.Nodes.class, Sample.Text.class, Sample.Bytes.class})
    sealed interface Sample {
        record Empty() implements Sample {}

        record Numbers(int small, long large, boolean flag, double real) implements Sample {}

        record Text(String text, Duration time, List<Colour> colours) implements Sample {}

        record Nodes(NodeId node, NodeSet nodes, Stamp stamp) implements Sample {}

        record Bytes(ByteString byteString) implements Sample {}
    }

    enum Colour {
        RED,
        GREEN
    }

    record Nested(List<List<Integer>> lists) {}

    record Empty() {}

    record EmptyRecords(List<Empty> all) {}

    @WireTags({Chain.End.class, Chain.Link.class})
    sealed interface Chain<T> {
        record End<T>() implements Chain<T> {}

        record Link<T>(T value, Chain<T> rest) implements Chain<T> {}
    }

    record Chains(Chain<Integer> numbers, Chain<String> words) {}

    sealed interface Untagged {
        record Only(int number) implements Untagged {}
    }

    @WireTags({Incomplete.First.class})
    sealed interface Incomplete {
        record First(int number) implements Incomplete {}

        record Second(int number) implements Incomplete {}
    }

    record NonNegative(int number) {
        NonNegative {
            if (number < 0) {
                throw new IllegalArgumentException("negative");
            }
        }
    }

    private static final Codec<Sample> SAMPLES = Codec.of(Sample.class);

    static Stream<Sample> samples() {
        return Stream.of(
                new Sample.Empty(),
                new Sample.Numbers(0, 0, false, 0),
                new Sample.Numbers(Integer.MIN_VALUE, Long.MAX_VALUE, true, -1.5),
                new Sample.Numbers(Integer.MAX_VALUE, Long.MIN_VALUE, true, Double.NaN),
                new Sample.Bytes(ByteString.of(new byte[] {1, -1})),
                new Sample.Text("", Duration.ZERO, List.of()),
                new Sample.Text("Grüße ✓", Duration.ofMillis(-7), List.of(Colour.GREEN, Colour.RED)),
                new Sample.Nodes(new NodeId(1), NodeSet.NONE, new Stamp(0, new NodeId(1))),
                new Sample.Nodes(
                        new NodeId(1_000_000),
                        NodeSet.of(new NodeId(1), new NodeId(63), new NodeId(64), new NodeId(5_000)),
                        new Stamp(1L << 40, new NodeId(2))));
    }

    @Test
    void a_sealed_type_must_number_all_its_permitted_types() {
        for (var type : List.of(Untagged.class, Incomplete.class)) {
            assertThatThrownBy(() -> Codec.of(type)).hasMessageContaining("must list its permitted types in @WireTags");
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void a_decoded_value_equals_the_encoded_one(Sample sample) {
        assertThat(SAMPLES.read(SAMPLES.write(sample))).isEqualTo(sample);
    }

    @Test
    void the_bytes_of_a_value_never_change() {
        assertThat(hex(SAMPLES.write(new Sample.Numbers(1, -2, true, 1))))
                .isEqualTo("01" + "02" + "03" + "01" + "3ff0000000000000");
        assertThat(hex(SAMPLES.write(new Sample.Text("né", Duration.ofNanos(300), List.of(Colour.GREEN)))))
                .isEqualTo("03" + "066ec3a9" + "d804" + "0202");
        assertThat(hex(SAMPLES.write(new Sample.Nodes(
                        new NodeId(3), NodeSet.of(new NodeId(1), new NodeId(4)), new Stamp(5, new NodeId(2))))))
                .isEqualTo("02" + "06" + "040206" + "0a04");
        var request = new RicartAgrawala.Message.Request(new Stamp(41, new NodeId(1)));
        var messages = Codec.of(RicartAgrawala.Message.class);
        assertThat(hex(messages.write(request))).isEqualTo("01" + "5202");
        assertThat(hex(Codec.ofMessages(new Central(Duration.ZERO, false)).write(new Central.Message.Grant(64))))
                .isEqualTo("01" + "8001");
    }

    @Test
    void a_digest_tells_byte_strings_apart_and_is_as_short_for_a_long_one() {
        var raft = AlgorithmSpec.parse("raft", Problem.LOG).protocol(3);
        Codec<Effect<Object>> digests = Codec.digestForProtocol(raft, Effect.class);
        var one = digests.write(new Effect.Load<>(7, ByteString.of(new byte[1_000])));
        var same = digests.write(new Effect.Load<>(7, ByteString.of(new byte[1_000])));
        var other = digests.write(new Effect.Load<>(7, ByteString.ofText("x".repeat(1_000))));
        assertThat(one).isEqualTo(same).isNotEqualTo(other).hasSizeLessThan(12);
        var checkValue = digests.write(new Effect.Load<>(7, ByteString.ofText("123456789"))); // of CRC-32C
        assertThat(digests.read(checkValue)).hasToString("Load[index=7, snapshot=#9:e3069283]");
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "04",
                "ff",
                "00ff",
                "01",
                "0102",
                "010203",
                "01020302",
                "010203013ff00000000000",
                "03ffffffff0f",
                "0306",
                "0301ff",
                "0206040200",
                "0200",
                "0206040206",
                "01ffffffffffffffffffff01"
            })
    void malformed_bytes_are_rejected(String bytes) {
        assertThatThrownBy(() -> SAMPLES.read(HexFormat.of().parseHex(bytes)))
                .isInstanceOf(MalformedInputException.class);
    }

    @Test
    void bytes_that_a_record_constructor_rejects_are_malformed() {
        assertThatThrownBy(() -> Codec.of(NonNegative.class).read(new byte[] {1}))
                .isInstanceOf(MalformedInputException.class)
                .hasMessage("invalid NonNegative: negative");
    }

    @Test
    void a_list_cannot_announce_more_elements_than_there_are_bytes() {
        assertThatThrownBy(() -> Codec.of(Nested.class).read(HexFormat.of().parseHex("feffffff0f00")))
                .isInstanceOf(MalformedInputException.class)
                .hasMessage("count must be at most the remaining 1 bytes, was 2147483647");
        assertThatThrownBy(() -> Codec.of(EmptyRecords.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("must have at least one byte");
    }

    @Test
    void a_type_may_contain_itself() {
        var numbers = new Chain.Link<>(1, new Chain.Link<>(2, new Chain.End<>()));
        var chains = new Chains(numbers, new Chain.Link<>("a", new Chain.End<>()));
        var codec = Codec.of(Chains.class);
        assertThat(hex(codec.write(chains))).isEqualTo("0102" + "0104" + "00" + "010261" + "00");
        assertThat(codec.read(codec.write(chains))).isEqualTo(chains);
        assertThatThrownBy(() -> codec.read(HexFormat.of().parseHex("0102".repeat(1_000))))
                .isInstanceOf(MalformedInputException.class)
                .hasMessage("values are nested deeper than 64");
    }

    @Test
    void a_type_that_is_no_value_has_no_codec() {
        assertThatThrownBy(() -> Codec.of(Object.class)).hasMessage("cannot encode type java.lang.Object");
    }

    /** The decoder throws {@link MalformedInputException} or returns a value, whatever the input. */
    @Test
    void random_bytes_are_decoded_or_rejected() {
        var random = new SplittableRandom(1);
        var codecs = Catalogue.ALL.stream()
                .map(one -> Codec.ofMessages(
                        one.create(AlgorithmParameters.defaults().withNodeCount(4))))
                .toList();
        for (int i = 0; i < 200_000; i++) {
            var bytes = new byte[random.nextInt(24)];
            random.nextBytes(bytes);
            try {
                codecs.get(i % codecs.size()).read(bytes);
            } catch (MalformedInputException refused) {
                assertThat(refused.getMessage()).isNotBlank();
            }
        }
    }

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().map(Algorithm::name);
    }

    /** Encodes every state, event, effect and durable state of a run. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void every_message_event_effect_and_state_of_every_algorithm_can_be_encoded(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var topology = algorithm.shape() == Topology.Shape.RING
                ? Topology.ring(4)
                : Topology.complete(
                        algorithm.nodeCount(AlgorithmParameters.defaults()).orElse(4));
        var world = World.of(topology);
        roundTrip(algorithm.create(AlgorithmParameters.of(world)), world);
    }

    private static <S, M> void roundTrip(Protocol<S, M> protocol, World world) {
        var trace = new ArrayList<TraceEvent>();
        Simulation.of(protocol, world, 1)
                .withLimits(RunLimits.AMPLE.withMaxSteps(2_000))
                .withTrace(trace::add)
                .run();
        var states = Codec.ofStates(protocol);
        var events = Codec.ofEvents(protocol);
        var effects = Codec.ofEffects(protocol);
        for (TraceEvent event : trace) {
            if (event instanceof TraceEvent.NodeStep nodeStep) {
                roundTrip(states, nodeStep.state());
                nodeStep.effects().forEach(effect -> roundTrip(effects, effect));
                if (protocol instanceof Durable<S, M, ?> durable) {
                    roundTripDurableState(durable, nodeStep.state());
                }
            }
            if (event instanceof TraceEvent.Step step) {
                roundTrip(events, step.event());
            }
        }
    }

    @SuppressWarnings("unchecked") // the states of a run are those of its protocol
    private static <S, M, D> void roundTripDurableState(Durable<S, M, D> durable, Object state) {
        roundTrip(Codec.ofDurableStates(durable), durable.durableState((S) state));
    }

    @SuppressWarnings("unchecked") // as above
    private static <T> void roundTrip(Codec<T> codec, Object value) {
        assertThat(codec.read(codec.write((T) value))).isEqualTo(value);
    }

    @Test
    void effects_and_events_use_the_messages_and_timers_of_the_algorithm() {
        var quorum = (Quorum) Catalogue.find("quorum")
                .orElseThrow()
                .create(AlgorithmParameters.defaults().withNodeCount(3));
        Effect<Quorum.Message> wake =
                new Effect.SetTimer<>(Quorum.Timer.RESUME_GRANTING, Duration.ofMillis(1), Duration.ofMillis(2));
        Event<Quorum.Message> grant = new Event.Received<>(new NodeId(2), new Quorum.Message.Grant(1, 2));
        roundTrip(Codec.ofEffects(quorum), wake);
        roundTrip(Codec.ofEvents(quorum), grant);
    }
}
