package habemus.catalogue;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.ClientServer;
import habemus.protocol.ValueTypeCheck;
import habemus.simulate.Simulation;
import habemus.smallscope.SmallScopes;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.FaultKind;
import habemus.world.KebabCase;
import habemus.world.LatencyModel;
import habemus.world.NetworkModel;
import habemus.world.Problem;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.World;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CatalogueTest {

    private static final String NAME = "[a-z]+(-[a-z]+)*";

    private static final World FAULTLESS = World.of(Topology.complete(3));

    private static final Guarantee ASYNCHRONOUS = Guarantee.of(Property.MUTUAL_EXCLUSION);
    private static final Guarantee SYNCHRONOUS =
            Guarantee.of(Property.UNIQUENESS).assuming(new TimingAssumption.Synchronous(Duration.ofMillis(10)));

    static List<String> names() {
        return Catalogue.ALL.stream().map(Algorithm::name).toList();
    }

    static Stream<Arguments> options() {
        return Catalogue.ALL.stream()
                .flatMap(algorithm -> algorithm.options().stream()
                        .map(option -> Arguments.of(algorithm.name() + " --" + option.name(), option)));
    }

    private static Algorithm named(String name) {
        return Catalogue.find(name).orElseThrow();
    }

    @Test
    void no_two_algorithms_have_the_same_name() {
        assertThat(names()).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @MethodSource("names")
    void a_name_consists_of_lower_case_words_joined_by_hyphens(String name) {
        assertThat(name).matches(NAME);
        assertThat(named(name).options()).extracting(AlgorithmOption::name).allMatch(option -> option.matches(NAME));
    }

    @ParameterizedTest
    @MethodSource("names")
    void an_algorithm_is_found_by_its_name(String name) {
        assertThat(Catalogue.find(name))
                .hasValueSatisfying(found -> assertThat(found.name()).isEqualTo(name));
    }

    @Test
    void an_unknown_name_is_not_found() {
        assertThat(Catalogue.find("ricart")).isEmpty();
        assertThat(Catalogue.find("")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void no_two_options_or_costs_of_an_algorithm_have_the_same_name(String name) {
        assertThat(named(name).options()).extracting(AlgorithmOption::name).doesNotHaveDuplicates();
        assertThat(named(name).costs()).extracting(CostFormula::measure).doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void the_default_of_an_option_can_be_written_and_parsed(String name, AlgorithmOption<?> option) {
        assertThat(option.parse(text(option.defaultValue()))).isEqualTo(option.defaultValue());
    }

    private static String text(Object value) {
        return switch (value) {
            case Duration time -> Long.toString(time.toMillis());
            case List<?> list -> list.stream().map(Object::toString).collect(Collectors.joining(","));
            case Enum<?> choice -> KebabCase.of(choice);
            default -> value.toString();
        };
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void an_invalid_option_value_names_the_expected_syntax(String name, AlgorithmOption<?> option) {
        assertThatThrownBy(() -> option.parse("soon"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--" + option.name() + " must be ", "'soon'");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void an_option_that_is_not_set_has_its_default(String name, AlgorithmOption<?> option) {
        assertThat((Object) AlgorithmParameters.defaults().get(option)).isEqualTo(option.defaultValue());
    }

    @ParameterizedTest
    @MethodSource("names")
    void states_and_messages_of_an_algorithm_are_immutable(String name) {
        assertThatCode(() -> ValueTypeCheck.check(named(name).create(AlgorithmParameters.defaults())))
                .doesNotThrowAnyException();
    }

    static List<String> withLiveness() {
        return Catalogue.ALL.stream()
                .filter(algorithm -> algorithm.problem().hasCallers())
                .filter(algorithm -> algorithm.guaranteed(AlgorithmParameters.defaults(), FAULTLESS).stream()
                        .anyMatch(property -> property.when() == Property.When.EVENTUALLY))
                .map(Algorithm::name)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("withLiveness")
    void without_faults_every_request_is_granted_or_every_node_knows_the_leader(String name) {
        var algorithm = named(name);
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(3) : Topology.complete(3);
        var protocol = algorithm.create(AlgorithmParameters.defaults().withNodeCount(3));
        var result = Simulation.of(protocol, World.of(topology), 1).run();
        long served = algorithm.problem() == Problem.MUTEX
                ? result.entries()
                : result.announcements().stream()
                        .map(announcement -> announcement.node())
                        .distinct()
                        .count();
        boolean isService = protocol instanceof ClientServer; // the log, a lock server and one client
        assertThat(served).isEqualTo(isAnonymous(algorithm) || isService ? 1 : 3);
    }

    /** Without node ids, only the leader itself knows the leader. */
    private static boolean isAnonymous(Algorithm algorithm) {
        return algorithm.name().equals("itai-rodeh");
    }

    @ParameterizedTest
    @MethodSource("names")
    void without_faults_an_algorithm_guarantees_a_property_of_its_problem(String name) {
        var algorithm = named(name);
        var guaranteed = SmallScopes.variants(algorithm).stream() // the default variant of a program is broken
                .filter(variant -> variant.option().isEmpty() || algorithm.problem() == Problem.THREADS)
                .flatMap(variant -> algorithm.guaranteed(variant.parameters(), FAULTLESS).stream());
        assertThat(guaranteed).isNotEmpty().allMatch(property -> property.isOf(algorithm.problem()));
    }

    @ParameterizedTest
    @EnumSource(FaultKind.class)
    void a_guarantee_covers_only_the_fault_kinds_it_tolerates(FaultKind kind) {
        var others = EnumSet.complementOf(EnumSet.of(kind));
        var world = with(kind);
        assertThat(ASYNCHRONOUS.covers(FAULTLESS)).isTrue();
        assertThat(ASYNCHRONOUS.covers(world)).isFalse();
        assertThat(surviving(others).covers(world)).isFalse();
        assertThat(surviving(Set.of(kind)).covers(world)).isTrue();
    }

    private static Guarantee surviving(Set<FaultKind> faultKinds) {
        return ASYNCHRONOUS.tolerating(faultKinds.toArray(FaultKind[]::new));
    }

    /** A world with only this fault kind. */
    private static World with(FaultKind kind) {
        return switch (kind) {
            case REORDER -> FAULTLESS.withNetwork(NetworkModel.BAG);
            case DUPLICATION -> FAULTLESS.withNetwork(NetworkModel.FIFO.withDuplication(0.1));
            case LOSS -> FAULTLESS.withNetwork(NetworkModel.FIFO.withLoss(0.1));
            case CRASH -> withFaults(new Fault.Crash(n(1)));
            case RESTART -> withFaults(new Fault.Restart(n(1), false));
            case AMNESIA -> withFaults(new Fault.Restart(n(1), true));
            case PAUSE -> withFaults(new Fault.Pause(n(1)));
            case PARTITION -> withFaults(new Fault.Cut(nodes(1), nodes(2, 3), true));
            case SLOWNESS -> withFaults(new Fault.Slow(n(1), n(2), 2));
            case MISTAKE -> withFaults(new Fault.WrongSuspicion(n(1), n(2)));
            case TAIL_LOSS -> withFaults(new Fault.LoseTail(n(1), 1));
            case CLOCK_RATE -> withFaults(new Fault.ClockRate(n(1), 1.2));
            case JOIN -> withFaults(new Fault.Join(n(3)));
            case LEAVE -> withFaults(new Fault.Leave(n(3)));
        };
    }

    private static World withFaults(Fault... faults) {
        return FAULTLESS.withFaults(Arrays.stream(faults)
                .map(fault -> new Fault.PlannedFault(Duration.ZERO, fault))
                .toList());
    }

    @Test
    void a_guarantee_covers_the_ends_of_faults() {
        var faultEnds = withFaults(
                new Fault.Resume(n(1)),
                new Fault.HealCut(new Fault.Cut(nodes(1), nodes(2), true)),
                new Fault.Correct(n(1), n(2)),
                new Fault.Heal());
        assertThat(ASYNCHRONOUS.covers(faultEnds)).isTrue();
    }

    @Test
    void a_guarantee_covers_two_fault_kinds_only_if_it_tolerates_both() {
        var both = withFaults(new Fault.Crash(n(1)), new Fault.Pause(n(2)));
        assertThat(surviving(Set.of(FaultKind.CRASH)).covers(both)).isFalse();
        assertThat(surviving(Set.of(FaultKind.PAUSE)).covers(both)).isFalse();
        assertThat(surviving(Set.of(FaultKind.CRASH, FaultKind.PAUSE)).covers(both))
                .isTrue();
    }

    @Test
    void an_asynchronous_guarantee_covers_any_latency_and_any_detector() {
        var slow = FAULTLESS.withLatency(new LatencyModel.Exponential(Duration.ofHours(1)));
        assertThat(ASYNCHRONOUS.covers(slow)).isTrue();
        assertThat(ASYNCHRONOUS.covers(slow.withDetector(new DetectorModel.None())))
                .isTrue();
        assertThat(ASYNCHRONOUS.covers(slow.withDetector(new DetectorModel.Oracle(Duration.ZERO))))
                .isTrue();
    }

    @Test
    void a_synchronous_guarantee_covers_only_delays_within_its_bound() {
        assertThat(SYNCHRONOUS.covers(taking(millis(10)))).isTrue();
        assertThat(SYNCHRONOUS.covers(taking(millis(11)))).isFalse();
    }

    @Test
    void a_synchronous_guarantee_covers_no_unbounded_latency() {
        assertThat(SYNCHRONOUS.covers(FAULTLESS.withLatency(new LatencyModel.Exponential(Duration.ofNanos(1_000)))))
                .isFalse();
        assertThat(SYNCHRONOUS.covers(FAULTLESS.withLatency(new LatencyModel.LogNormal(Duration.ofNanos(1_000), 0.1))))
                .isFalse();
    }

    @Test
    void a_synchronous_guarantee_covers_only_worlds_with_all_links_within_its_bound() {
        assertThat(SYNCHRONOUS.covers(FAULTLESS.withLatency(oneLink(millis(10)))))
                .isTrue();
        assertThat(SYNCHRONOUS.covers(FAULTLESS.withLatency(oneLink(millis(11)))))
                .isFalse();
    }

    private static LatencyModel oneLink(Duration atMost) {
        var slow = new LatencyModel.Uniform(Duration.ZERO, atMost);
        var link = new LatencyModel.PerLink.Link(n(1), n(2), slow);
        return new LatencyModel.PerLink(new LatencyModel.Fixed(Duration.ofMillis(1)), List.of(link));
    }

    @Test
    void a_synchronous_guarantee_covers_only_detectors_slower_than_two_messages() {
        var world = taking(millis(8));
        assertThat(SYNCHRONOUS.covers(world.withDetector(new DetectorModel.Oracle(millis(16)))))
                .isFalse();
        assertThat(SYNCHRONOUS.covers(world.withDetector(new DetectorModel.Oracle(millis(17)))))
                .isTrue();
    }

    @Test
    void a_synchronous_guarantee_covers_no_world_without_a_detector() {
        assertThat(SYNCHRONOUS.covers(taking(millis(1)).withDetector(new DetectorModel.None())))
                .isFalse();
    }

    @Test
    void a_guarantee_that_assumes_crash_detection_covers_any_latency_with_a_detector() {
        var crashDetection = ASYNCHRONOUS.assuming(new TimingAssumption.CrashDetection());
        assertThat(crashDetection.covers(FAULTLESS.withLatency(new LatencyModel.Exponential(Duration.ofHours(1)))))
                .isTrue();
        assertThat(crashDetection.covers(FAULTLESS.withDetector(new DetectorModel.None())))
                .isFalse();
    }

    @Test
    void a_guarantee_with_a_delay_bound_needs_no_detector() {
        var delayBound = ASYNCHRONOUS.assuming(new TimingAssumption.DelayBound(millis(10)));
        assertThat(delayBound.covers(taking(millis(10)).withDetector(new DetectorModel.None())))
                .isTrue();
        assertThat(delayBound.covers(taking(millis(11)))).isFalse();
        assertThat(delayBound.covers(FAULTLESS.withLatency(new LatencyModel.Exponential(millis(1)))))
                .isFalse();
    }

    @Test
    void a_guarantee_with_an_unknown_bound_covers_any_bounded_latency() {
        var unknownBound = ASYNCHRONOUS.assuming(new TimingAssumption.UnknownDelayBound());
        assertThat(unknownBound.covers(taking(Duration.ofHours(1)))).isTrue();
        assertThat(unknownBound.covers(FAULTLESS.withLatency(new LatencyModel.Exponential(millis(1)))))
                .isFalse();
    }

    private static World taking(Duration latency) {
        return FAULTLESS.withLatency(new LatencyModel.Fixed(latency));
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void a_world_has_all_properties_of_the_guarantees_that_cover_it() {
        var bully = named("bully");
        var crash = withFaults(new Fault.Crash(n(3)));
        var back = withFaults(new Fault.Crash(n(3)), new Fault.Restart(n(3), false));
        var amnesia = withFaults(new Fault.Crash(n(3)), new Fault.Restart(n(3), true));
        assertThat(bully.guaranteed(AlgorithmParameters.defaults(), crash))
                .contains(Property.UNIQUENESS, Property.AGREEMENT);
        assertThat(bully.guaranteed(AlgorithmParameters.defaults(), back))
                .contains(Property.AGREEMENT)
                .doesNotContain(Property.UNIQUENESS);
        assertThat(bully.guaranteed(AlgorithmParameters.defaults(), amnesia)).isEmpty();
    }

    @Test
    void the_guarantees_of_bully_depend_on_its_answer_timeout() {
        var bully = named("bully");
        var longTimeout = bully.options().stream()
                .filter(option -> option.name().equals("answer"))
                .map(option -> choose(option, "200"))
                .findFirst()
                .orElseThrow();
        var slow = taking(millis(60)).withDetector(new DetectorModel.Oracle(millis(150)));
        assertThat(bully.guaranteed(AlgorithmParameters.defaults(), slow)).isEmpty();
        assertThat(bully.guaranteed(longTimeout, slow)).isNotEmpty();
    }

    private static <T> AlgorithmParameters choose(AlgorithmOption<T> option, String text) {
        return AlgorithmParameters.defaults().with(option, option.parse(text));
    }
}
