package habemus.catalogue;

import static habemus.ProtocolFixture.n;
import static habemus.ProtocolFixture.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.ClientServer;
import habemus.protocol.ValueTypeCheck;
import habemus.simulate.Simulation;
import habemus.world.DetectorModel;
import habemus.world.Fault;
import habemus.world.FaultKind;
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

    private static final World KIND = World.of(Topology.complete(3));

    private static final Guarantee ASYNCHRONOUS = Guarantee.of(Property.MUTUAL_EXCLUSION);
    private static final Guarantee SYNCHRONOUS =
            Guarantee.of(Property.UNIQUENESS).assuming(new TimingAssumption.Synchronous(Duration.ofMillis(10)));

    static List<String> names() {
        return Catalogue.ALL.stream().map(Algorithm::name).toList();
    }

    static Stream<Arguments> options() {
        return Catalogue.ALL.stream()
                .flatMap(algorithm -> algorithm.algorithmOptions().stream()
                        .map(algorithmOption ->
                                Arguments.of(algorithm.name() + " --" + algorithmOption.name(), algorithmOption)));
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
    void a_name_is_words_in_small_letters_with_dashes_between(String name) {
        assertThat(name).matches(NAME);
        assertThat(named(name).algorithmOptions())
                .extracting(AlgorithmOption::name)
                .allMatch(option -> option.matches(NAME));
    }

    @ParameterizedTest
    @MethodSource("names")
    void an_algorithm_is_found_by_its_name(String name) {
        assertThat(Catalogue.find(name))
                .hasValueSatisfying(found -> assertThat(found.name()).isEqualTo(name));
    }

    @Test
    void nothing_is_found_by_a_name_that_nobody_has() {
        assertThat(Catalogue.find("ricart")).isEmpty();
        assertThat(Catalogue.find("")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void no_two_options_or_costs_of_an_algorithm_have_the_same_name(String name) {
        assertThat(named(name).algorithmOptions())
                .extracting(AlgorithmOption::name)
                .doesNotHaveDuplicates();
        assertThat(named(name).costFormulas()).extracting(CostFormula::measure).doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void the_standard_of_an_option_can_be_written_down(String name, AlgorithmOption<?> algorithmOption) {
        assertThat(algorithmOption.parse(text(algorithmOption.defaultValue())))
                .isEqualTo(algorithmOption.defaultValue());
    }

    private static String text(Object standard) {
        return switch (standard) {
            case Duration time -> Long.toString(time.toMillis());
            case List<?> list -> list.stream().map(Object::toString).collect(Collectors.joining(","));
            default -> standard.toString();
        };
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void an_option_that_cannot_be_read_says_what_it_takes(String name, AlgorithmOption<?> algorithmOption) {
        assertThatThrownBy(() -> algorithmOption.parse("soon"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--" + algorithmOption.name() + " takes ", "'soon'");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void an_option_that_is_not_chosen_has_its_standard(String name, AlgorithmOption<?> algorithmOption) {
        assertThat((Object) AlgorithmParameters.defaults().get(algorithmOption))
                .isEqualTo(algorithmOption.defaultValue());
    }

    @ParameterizedTest
    @MethodSource("names")
    void an_algorithm_is_made_of_values(String name) {
        assertThatCode(() -> ValueTypeCheck.check(named(name).create(AlgorithmParameters.defaults())))
                .doesNotThrowAnyException();
    }

    static List<String> lively() {
        return Catalogue.ALL.stream()
                .filter(one -> one.problem() != Problem.DETECTOR)
                .filter(one -> one.guaranteed(AlgorithmParameters.defaults(), KIND).stream()
                        .anyMatch(property -> property.when() == Property.When.EVENTUALLY))
                .map(Algorithm::name)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("lively")
    void everybody_gets_in_or_is_told_who_leads_if_nothing_goes_wrong(String name) {
        var algorithm = named(name);
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(3) : Topology.complete(3);
        var protocol = algorithm.create(AlgorithmParameters.defaults().withNodeCount(3));
        var runResult = Simulation.of(protocol, World.of(topology), 1).run();
        long told = algorithm.problem() == Problem.MUTEX
                ? runResult.entries()
                : runResult.announcements().stream()
                        .map(naming -> naming.node())
                        .distinct()
                        .count();
        boolean serving = protocol instanceof ClientServer; // the log, a node of the service, and one who asks
        assertThat(told).isEqualTo(isAnonymous(algorithm) || serving ? 1 : 3);
    }

    /** Where nobody has a name, only the leader can say who leads; and without dice there is no telling how many do. */
    private static boolean isAnonymous(Algorithm algorithm) {
        return algorithm.name().equals("itai-rodeh");
    }

    @ParameterizedTest
    @MethodSource("names")
    void an_algorithm_promises_something_of_its_own_problem_if_nothing_goes_wrong(String name) {
        var algorithm = named(name);
        assertThat(algorithm.guaranteed(AlgorithmParameters.defaults(), KIND))
                .isNotEmpty()
                .allMatch(property -> property.problem() == algorithm.problem());
    }

    @ParameterizedTest
    @EnumSource(FaultKind.class)
    void a_promise_covers_a_hazard_only_if_it_says_so(FaultKind faultKind) {
        var others = EnumSet.complementOf(EnumSet.of(faultKind));
        var world = with(faultKind);
        assertThat(ASYNCHRONOUS.covers(KIND)).isTrue();
        assertThat(ASYNCHRONOUS.covers(world)).isFalse();
        assertThat(surviving(others).covers(world)).isFalse();
        assertThat(surviving(Set.of(faultKind)).covers(world)).isTrue();
    }

    private static Guarantee surviving(Set<FaultKind> faultKinds) {
        return ASYNCHRONOUS.tolerating(faultKinds.toArray(FaultKind[]::new));
    }

    /** A world with this hazard and no other. */
    private static World with(FaultKind faultKind) {
        return switch (faultKind) {
            case REORDER -> KIND.withNetwork(NetworkModel.BAG);
            case DUPLICATION -> KIND.withNetwork(NetworkModel.FIFO.withDuplication(0.1));
            case LOSS -> KIND.withNetwork(NetworkModel.FIFO.withLoss(0.1));
            case CRASH -> struckBy(new Fault.Crash(n(1)));
            case RESTART -> struckBy(new Fault.Restart(n(1), false));
            case AMNESIA -> struckBy(new Fault.Restart(n(1), true));
            case PAUSE -> struckBy(new Fault.Pause(n(1)));
            case PARTITION -> struckBy(new Fault.Cut(nodes(1), nodes(2, 3), true));
            case SLOWNESS -> struckBy(new Fault.Slow(n(1), n(2), 2));
            case MISTAKE -> struckBy(new Fault.WrongSuspicion(n(1), n(2)));
        };
    }

    private static World struckBy(Fault... faults) {
        return KIND.withFaults(Arrays.stream(faults)
                .map(fault -> new Fault.PlannedFault(Duration.ZERO, fault))
                .toList());
    }

    @Test
    void a_promise_covers_whatever_mends_something() {
        var mends = struckBy(
                new Fault.Resume(n(1)),
                new Fault.HealCut(new Fault.Cut(nodes(1), nodes(2), true)),
                new Fault.Correct(n(1), n(2)),
                new Fault.Heal());
        assertThat(ASYNCHRONOUS.covers(mends)).isTrue();
    }

    @Test
    void a_promise_covers_two_hazards_only_if_it_says_so_of_both() {
        var both = struckBy(new Fault.Crash(n(1)), new Fault.Pause(n(2)));
        assertThat(surviving(Set.of(FaultKind.CRASH)).covers(both)).isFalse();
        assertThat(surviving(Set.of(FaultKind.PAUSE)).covers(both)).isFalse();
        assertThat(surviving(Set.of(FaultKind.CRASH, FaultKind.PAUSE)).covers(both))
                .isTrue();
    }

    @Test
    void without_an_assumption_about_time_a_promise_covers_any_latency_and_any_detector() {
        var slow = KIND.withLatency(new LatencyModel.Exponential(Duration.ofHours(1)));
        assertThat(ASYNCHRONOUS.covers(slow)).isTrue();
        assertThat(ASYNCHRONOUS.covers(slow.withDetector(new DetectorModel.None())))
                .isTrue();
        assertThat(ASYNCHRONOUS.covers(slow.withDetector(new DetectorModel.Oracle(Duration.ZERO))))
                .isTrue();
    }

    @Test
    void a_synchronous_promise_covers_messages_within_its_bound_only() {
        assertThat(SYNCHRONOUS.covers(taking(millis(10)))).isTrue();
        assertThat(SYNCHRONOUS.covers(taking(millis(11)))).isFalse();
    }

    @Test
    void a_synchronous_promise_covers_no_latency_without_a_bound() {
        assertThat(SYNCHRONOUS.covers(KIND.withLatency(new LatencyModel.Exponential(Duration.ofNanos(1_000)))))
                .isFalse();
        assertThat(SYNCHRONOUS.covers(KIND.withLatency(new LatencyModel.LogNormal(Duration.ofNanos(1_000), 0.1))))
                .isFalse();
    }

    @Test
    void a_synchronous_promise_covers_links_that_are_all_within_its_bound_only() {
        assertThat(SYNCHRONOUS.covers(KIND.withLatency(oneLink(millis(10))))).isTrue();
        assertThat(SYNCHRONOUS.covers(KIND.withLatency(oneLink(millis(11))))).isFalse();
    }

    private static LatencyModel oneLink(Duration atMost) {
        var slow = new LatencyModel.Uniform(Duration.ZERO, atMost);
        var link = new LatencyModel.PerLink.Link(n(1), n(2), slow);
        return new LatencyModel.PerLink(new LatencyModel.Fixed(Duration.ofMillis(1)), List.of(link));
    }

    @Test
    void a_synchronous_promise_covers_only_detectors_that_are_slower_than_two_messages() {
        var world = taking(millis(8));
        assertThat(SYNCHRONOUS.covers(world.withDetector(new DetectorModel.Oracle(millis(16)))))
                .isFalse();
        assertThat(SYNCHRONOUS.covers(world.withDetector(new DetectorModel.Oracle(millis(17)))))
                .isTrue();
    }

    @Test
    void a_synchronous_promise_covers_no_world_in_which_crashes_are_never_noticed() {
        assertThat(SYNCHRONOUS.covers(taking(millis(1)).withDetector(new DetectorModel.None())))
                .isFalse();
    }

    @Test
    void a_promise_that_needs_crashes_to_be_noticed_covers_any_latency_with_a_detector() {
        var noticing = ASYNCHRONOUS.assuming(new TimingAssumption.CrashDetection());
        assertThat(noticing.covers(KIND.withLatency(new LatencyModel.Exponential(Duration.ofHours(1)))))
                .isTrue();
        assertThat(noticing.covers(KIND.withDetector(new DetectorModel.None()))).isFalse();
    }

    @Test
    void a_prompt_promise_covers_messages_within_its_bound_whoever_notices() {
        var prompt = ASYNCHRONOUS.assuming(new TimingAssumption.DelayBound(millis(10)));
        assertThat(prompt.covers(taking(millis(10)).withDetector(new DetectorModel.None())))
                .isTrue();
        assertThat(prompt.covers(taking(millis(11)))).isFalse();
        assertThat(prompt.covers(KIND.withLatency(new LatencyModel.Exponential(millis(1)))))
                .isFalse();
    }

    @Test
    void a_bounded_promise_covers_any_latency_that_has_a_bound() {
        var bounded = ASYNCHRONOUS.assuming(new TimingAssumption.UnknownDelayBound());
        assertThat(bounded.covers(taking(Duration.ofHours(1)))).isTrue();
        assertThat(bounded.covers(KIND.withLatency(new LatencyModel.Exponential(millis(1)))))
                .isFalse();
    }

    private static World taking(Duration latency) {
        return KIND.withLatency(new LatencyModel.Fixed(latency));
    }

    private static Duration millis(long millis) {
        return Duration.ofMillis(millis);
    }

    @Test
    void what_is_promised_in_a_world_is_all_that_some_promise_covers() {
        var bully = named("bully");
        var crash = struckBy(new Fault.Crash(n(3)));
        var back = struckBy(new Fault.Crash(n(3)), new Fault.Restart(n(3), false));
        var forgetful = struckBy(new Fault.Crash(n(3)), new Fault.Restart(n(3), true));
        assertThat(bully.guaranteed(AlgorithmParameters.defaults(), crash))
                .contains(Property.UNIQUENESS, Property.AGREEMENT);
        assertThat(bully.guaranteed(AlgorithmParameters.defaults(), back))
                .contains(Property.AGREEMENT)
                .doesNotContain(Property.UNIQUENESS);
        assertThat(bully.guaranteed(AlgorithmParameters.defaults(), forgetful)).isEmpty();
    }

    @Test
    void what_bully_promises_depends_on_how_long_it_waits() {
        var bully = named("bully");
        var patient = bully.algorithmOptions().stream()
                .filter(algorithmOption -> algorithmOption.name().equals("answer"))
                .map(algorithmOption -> choose(algorithmOption, "200"))
                .findFirst()
                .orElseThrow();
        var slow = taking(millis(60)).withDetector(new DetectorModel.Oracle(millis(150)));
        assertThat(bully.guaranteed(AlgorithmParameters.defaults(), slow)).isEmpty();
        assertThat(bully.guaranteed(patient, slow)).isNotEmpty();
    }

    private static <T> AlgorithmParameters choose(AlgorithmOption<T> algorithmOption, String text) {
        return AlgorithmParameters.defaults().with(algorithmOption, algorithmOption.parse(text));
    }
}
