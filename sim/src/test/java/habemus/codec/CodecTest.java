package habemus.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.mutex.Central;
import habemus.mutex.Quorum;
import habemus.mutex.RicartAgrawala;
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

    @WireTags({Thing.Nothing.class, Thing.Some.class, Thing.Who.class, Thing.Words.class, Thing.Wrapped.class})
    sealed interface Thing {
        record Nothing() implements Thing {}

        record Some(int small, long large, boolean flag, double real) implements Thing {}

        record Words(String text, Duration time, List<Colour> colours) implements Thing {}

        record Who(NodeId node, NodeSet nodes, Stamp stamp) implements Thing {}

        record Wrapped(ByteString byteString) implements Thing {}
    }

    enum Colour {
        RED,
        GREEN
    }

    record Nested(List<List<Integer>> lists) {}

    record Blank() {}

    record Blanks(List<Blank> all) {}

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

    record Picky(int number) {
        Picky {
            if (number < 0) {
                throw new IllegalArgumentException("negative");
            }
        }
    }

    private static final Codec<Thing> THINGS = Codec.of(Thing.class);

    static Stream<Thing> things() {
        return Stream.of(
                new Thing.Nothing(),
                new Thing.Some(0, 0, false, 0),
                new Thing.Some(Integer.MIN_VALUE, Long.MAX_VALUE, true, -1.5),
                new Thing.Some(Integer.MAX_VALUE, Long.MIN_VALUE, true, Double.NaN),
                new Thing.Wrapped(ByteString.of(new byte[] {1, -1})),
                new Thing.Words("", Duration.ZERO, List.of()),
                new Thing.Words("Grüße ✓", Duration.ofMillis(-7), List.of(Colour.GREEN, Colour.RED)),
                new Thing.Who(new NodeId(1), NodeSet.NONE, new Stamp(0, new NodeId(1))),
                new Thing.Who(
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
    @MethodSource("things")
    void a_value_is_itself_again(Thing thing) {
        assertThat(THINGS.read(THINGS.write(thing))).isEqualTo(thing);
    }

    @Test
    void the_bytes_of_today_are_those_of_tomorrow() {
        assertThat(hex(THINGS.write(new Thing.Some(1, -2, true, 1))))
                .isEqualTo("01" + "02" + "03" + "01" + "3ff0000000000000");
        assertThat(hex(THINGS.write(new Thing.Words("né", Duration.ofNanos(300), List.of(Colour.GREEN)))))
                .isEqualTo("03" + "066ec3a9" + "d804" + "0202");
        assertThat(hex(THINGS.write(new Thing.Who(
                        new NodeId(3), NodeSet.of(new NodeId(1), new NodeId(4)), new Stamp(5, new NodeId(2))))))
                .isEqualTo("02" + "06" + "040206" + "0a04");
        var request = new RicartAgrawala.Message.Request(new Stamp(41, new NodeId(1)));
        var messages = Codec.of(RicartAgrawala.Message.class);
        assertThat(hex(messages.write(request))).isEqualTo("01" + "5202");
        assertThat(hex(Codec.ofMessages(new Central(Duration.ZERO, false)).write(new Central.Message.Grant(64))))
                .isEqualTo("01" + "8001");
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
    void what_is_no_value_is_refused(String bytes) {
        assertThatThrownBy(() -> THINGS.read(HexFormat.of().parseHex(bytes)))
                .isInstanceOf(MalformedInputException.class);
    }

    @Test
    void a_record_that_refuses_its_parts_is_malformed_too() {
        assertThatThrownBy(() -> Codec.of(Picky.class).read(new byte[] {1}))
                .isInstanceOf(MalformedInputException.class)
                .hasMessage("no Picky: negative");
    }

    @Test
    void a_long_list_takes_many_bytes() {
        assertThatThrownBy(() -> Codec.of(Nested.class).read(HexFormat.of().parseHex("feffffff0f00")))
                .isInstanceOf(MalformedInputException.class)
                .hasMessage("announces 2147483647, but the bytes end before");
        assertThatThrownBy(() -> Codec.of(Blanks.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith("may be long and yet have no bytes");
    }

    @Test
    void a_type_may_be_made_of_itself() {
        var numbers = new Chain.Link<>(1, new Chain.Link<>(2, new Chain.End<>()));
        var chains = new Chains(numbers, new Chain.Link<>("a", new Chain.End<>()));
        var codec = Codec.of(Chains.class);
        assertThat(hex(codec.write(chains))).isEqualTo("0102" + "0104" + "00" + "010261" + "00");
        assertThat(codec.read(codec.write(chains))).isEqualTo(chains);
        assertThatThrownBy(() -> codec.read(HexFormat.of().parseHex("0102".repeat(1_000))))
                .isInstanceOf(MalformedInputException.class)
                .hasMessage("values within values within values");
    }

    @Test
    void what_is_no_value_has_no_bytes() {
        assertThatThrownBy(() -> Codec.of(Object.class)).hasMessage("no bytes for java.lang.Object");
    }

    /** Whatever arrives is read or refused, and nothing else comes of it. */
    @Test
    void garbage_is_read_or_refused() {
        var chance = new SplittableRandom(1);
        var codecs = Catalogue.ALL.stream()
                .map(one -> Codec.ofMessages(
                        one.create(AlgorithmParameters.defaults().withNodeCount(4))))
                .toList();
        for (int i = 0; i < 200_000; i++) {
            var bytes = new byte[chance.nextInt(24)];
            chance.nextBytes(bytes);
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

    /** Everything that is said, done and remembered in a run. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void every_algorithm_goes_through_the_wire(String name) {
        var algorithm = Catalogue.find(name).orElseThrow();
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(4) : Topology.complete(4);
        var world = World.of(topology);
        roundTrip(algorithm.create(AlgorithmParameters.of(world)), world);
    }

    private static <S, M> void roundTrip(Protocol<S, M> protocol, World world) {
        var lines = new ArrayList<TraceEvent>();
        Simulation.of(protocol, world, 1)
                .withLimits(RunLimits.AMPLE.withMaxSteps(2_000))
                .withTrace(lines::add)
                .run();
        var states = Codec.ofStates(protocol);
        var events = Codec.ofEvents(protocol);
        var effects = Codec.ofEffects(protocol);
        for (TraceEvent line : lines) {
            if (line instanceof TraceEvent.NodeStep nodeStep) {
                again(states, nodeStep.state());
                nodeStep.effects().forEach(effect -> again(effects, effect));
                if (protocol instanceof Durable<S, M, ?> durable) {
                    remember(durable, nodeStep.state());
                }
            }
            if (line instanceof TraceEvent.Step step) {
                again(events, step.event());
            }
        }
    }

    @SuppressWarnings("unchecked") // a run is about the states of its protocol
    private static <S, M, D> void remember(Durable<S, M, D> durable, Object state) {
        again(Codec.ofMemories(durable), durable.durableState((S) state));
    }

    @SuppressWarnings("unchecked") // as above
    private static <T> void again(Codec<T> codec, Object value) {
        assertThat(codec.read(codec.write((T) value))).isEqualTo(value);
    }

    @Test
    void effects_and_events_are_about_the_messages_and_alarms_of_the_algorithm() {
        var quorum = (Quorum) Catalogue.find("quorum")
                .orElseThrow()
                .create(AlgorithmParameters.defaults().withNodeCount(3));
        Effect<Quorum.Message> wake =
                new Effect.SetTimer<>(Quorum.Timer.RESUME_GRANTING, Duration.ofMillis(1), Duration.ofMillis(2));
        Event<Quorum.Message> grant = new Event.Received<>(new NodeId(2), new Quorum.Message.Grant(1, 2));
        again(Codec.ofEffects(quorum), wake);
        again(Codec.ofEvents(quorum), grant);
    }
}
