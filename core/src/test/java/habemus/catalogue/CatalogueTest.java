package habemus.catalogue;

import static habemus.Given.n;
import static habemus.Given.nodes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.protocol.Admission;
import habemus.protocol.Serving;
import habemus.simulate.Simulation;
import habemus.world.Detector;
import habemus.world.Fault;
import habemus.world.Hazard;
import habemus.world.Latency;
import habemus.world.Network;
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

    private static final Promise ASYNCHRONOUS = Promise.of(Property.MUTUAL_EXCLUSION);
    private static final Promise SYNCHRONOUS =
            Promise.of(Property.UNIQUENESS).under(new Timing.Synchronous(Duration.ofMillis(10)));

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
    void a_name_is_words_in_small_letters_with_dashes_between(String name) {
        assertThat(name).matches(NAME);
        assertThat(named(name).options()).extracting(Option::name).allMatch(option -> option.matches(NAME));
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
        assertThat(named(name).options()).extracting(Option::name).doesNotHaveDuplicates();
        assertThat(named(name).costs()).extracting(Cost::measure).doesNotHaveDuplicates();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void the_standard_of_an_option_can_be_written_down(String name, Option<?> option) {
        assertThat(option.read(text(option.standard()))).isEqualTo(option.standard());
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
    void an_option_that_cannot_be_read_says_what_it_takes(String name, Option<?> option) {
        assertThatThrownBy(() -> option.read("soon"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("--" + option.name() + " takes ", "'soon'");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("options")
    void an_option_that_is_not_chosen_has_its_standard(String name, Option<?> option) {
        assertThat((Object) Setting.standard().get(option)).isEqualTo(option.standard());
    }

    @ParameterizedTest
    @MethodSource("names")
    void an_algorithm_is_made_of_values(String name) {
        assertThatCode(() -> Admission.check(named(name).make(Setting.standard())))
                .doesNotThrowAnyException();
    }

    static List<String> lively() {
        return Catalogue.ALL.stream()
                .filter(one -> one.problem() != Problem.DETECTOR)
                .filter(one -> one.promised(Setting.standard(), KIND).stream()
                        .anyMatch(property -> property.when() == Property.When.IN_THE_END))
                .map(Algorithm::name)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("lively")
    void everybody_gets_in_or_is_told_who_leads_if_nothing_goes_wrong(String name) {
        var algorithm = named(name);
        var topology = algorithm.shape() == Topology.Shape.RING ? Topology.ring(3) : Topology.complete(3);
        var protocol = algorithm.make(Setting.standard().among(3));
        var outcome = Simulation.of(protocol, World.of(topology), 1).run();
        long told = algorithm.problem() == Problem.MUTEX
                ? outcome.entries()
                : outcome.elected().stream()
                        .map(naming -> naming.node())
                        .distinct()
                        .count();
        boolean serving = protocol instanceof Serving; // the log, a node of the service, and one who asks
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
        assertThat(algorithm.promised(Setting.standard(), KIND))
                .isNotEmpty()
                .allMatch(property -> property.problem() == algorithm.problem());
    }

    @ParameterizedTest
    @EnumSource(Hazard.class)
    void a_promise_covers_a_hazard_only_if_it_says_so(Hazard hazard) {
        var others = EnumSet.complementOf(EnumSet.of(hazard));
        var world = with(hazard);
        assertThat(ASYNCHRONOUS.covers(KIND)).isTrue();
        assertThat(ASYNCHRONOUS.covers(world)).isFalse();
        assertThat(surviving(others).covers(world)).isFalse();
        assertThat(surviving(Set.of(hazard)).covers(world)).isTrue();
    }

    private static Promise surviving(Set<Hazard> hazards) {
        return ASYNCHRONOUS.surviving(hazards.toArray(Hazard[]::new));
    }

    /** A world with this hazard and no other. */
    private static World with(Hazard hazard) {
        return switch (hazard) {
            case REORDER -> KIND.over(Network.BAG);
            case DUPLICATION -> KIND.over(Network.FIFO.duplicating(0.1));
            case LOSS -> KIND.over(Network.FIFO.losing(0.1));
            case CRASH -> struckBy(new Fault.Crash(n(1)));
            case RESTART -> struckBy(new Fault.Restart(n(1), false));
            case AMNESIA -> struckBy(new Fault.Restart(n(1), true));
            case PAUSE -> struckBy(new Fault.Pause(n(1)));
            case PARTITION -> struckBy(new Fault.Cut(nodes(1), nodes(2, 3), true));
            case SLOWNESS -> struckBy(new Fault.Slow(n(1), n(2), 2));
            case MISTAKE -> struckBy(new Fault.Mistake(n(1), n(2)));
        };
    }

    private static World struckBy(Fault... faults) {
        return KIND.struckBy(Arrays.stream(faults)
                .map(fault -> new Fault.Planned(Duration.ZERO, fault))
                .toList());
    }

    @Test
    void a_promise_covers_whatever_mends_something() {
        var mends = struckBy(
                new Fault.Resume(n(1)),
                new Fault.Mend(new Fault.Cut(nodes(1), nodes(2), true)),
                new Fault.Correct(n(1), n(2)),
                new Fault.Heal());
        assertThat(ASYNCHRONOUS.covers(mends)).isTrue();
    }

    @Test
    void a_promise_covers_two_hazards_only_if_it_says_so_of_both() {
        var both = struckBy(new Fault.Crash(n(1)), new Fault.Pause(n(2)));
        assertThat(surviving(Set.of(Hazard.CRASH)).covers(both)).isFalse();
        assertThat(surviving(Set.of(Hazard.PAUSE)).covers(both)).isFalse();
        assertThat(surviving(Set.of(Hazard.CRASH, Hazard.PAUSE)).covers(both)).isTrue();
    }

    @Test
    void without_an_assumption_about_time_a_promise_covers_any_latency_and_any_detector() {
        var slow = KIND.taking(new Latency.Exponential(Duration.ofHours(1)));
        assertThat(ASYNCHRONOUS.covers(slow)).isTrue();
        assertThat(ASYNCHRONOUS.covers(slow.watchedBy(new Detector.None()))).isTrue();
        assertThat(ASYNCHRONOUS.covers(slow.watchedBy(new Detector.Oracle(Duration.ZERO))))
                .isTrue();
    }

    @Test
    void a_synchronous_promise_covers_messages_within_its_bound_only() {
        assertThat(SYNCHRONOUS.covers(taking(millis(10)))).isTrue();
        assertThat(SYNCHRONOUS.covers(taking(millis(11)))).isFalse();
    }

    @Test
    void a_synchronous_promise_covers_no_latency_without_a_bound() {
        assertThat(SYNCHRONOUS.covers(KIND.taking(new Latency.Exponential(Duration.ofNanos(1_000)))))
                .isFalse();
        assertThat(SYNCHRONOUS.covers(KIND.taking(new Latency.LogNormal(Duration.ofNanos(1_000), 0.1))))
                .isFalse();
    }

    @Test
    void a_synchronous_promise_covers_links_that_are_all_within_its_bound_only() {
        assertThat(SYNCHRONOUS.covers(KIND.taking(oneLink(millis(10))))).isTrue();
        assertThat(SYNCHRONOUS.covers(KIND.taking(oneLink(millis(11))))).isFalse();
    }

    private static Latency oneLink(Duration atMost) {
        var slow = new Latency.Uniform(Duration.ZERO, atMost);
        var link = new Latency.PerLink.Link(n(1), n(2), slow);
        return new Latency.PerLink(new Latency.Fixed(Duration.ofMillis(1)), List.of(link));
    }

    @Test
    void a_synchronous_promise_covers_only_detectors_that_are_slower_than_two_messages() {
        var world = taking(millis(8));
        assertThat(SYNCHRONOUS.covers(world.watchedBy(new Detector.Oracle(millis(16)))))
                .isFalse();
        assertThat(SYNCHRONOUS.covers(world.watchedBy(new Detector.Oracle(millis(17)))))
                .isTrue();
    }

    @Test
    void a_synchronous_promise_covers_no_world_in_which_crashes_are_never_noticed() {
        assertThat(SYNCHRONOUS.covers(taking(millis(1)).watchedBy(new Detector.None())))
                .isFalse();
    }

    @Test
    void a_promise_that_needs_crashes_to_be_noticed_covers_any_latency_with_a_detector() {
        var noticing = ASYNCHRONOUS.under(new Timing.Noticing());
        assertThat(noticing.covers(KIND.taking(new Latency.Exponential(Duration.ofHours(1)))))
                .isTrue();
        assertThat(noticing.covers(KIND.watchedBy(new Detector.None()))).isFalse();
    }

    @Test
    void a_prompt_promise_covers_messages_within_its_bound_whoever_notices() {
        var prompt = ASYNCHRONOUS.under(new Timing.Prompt(millis(10)));
        assertThat(prompt.covers(taking(millis(10)).watchedBy(new Detector.None())))
                .isTrue();
        assertThat(prompt.covers(taking(millis(11)))).isFalse();
        assertThat(prompt.covers(KIND.taking(new Latency.Exponential(millis(1)))))
                .isFalse();
    }

    @Test
    void a_bounded_promise_covers_any_latency_that_has_a_bound() {
        var bounded = ASYNCHRONOUS.under(new Timing.Bounded());
        assertThat(bounded.covers(taking(Duration.ofHours(1)))).isTrue();
        assertThat(bounded.covers(KIND.taking(new Latency.Exponential(millis(1)))))
                .isFalse();
    }

    private static World taking(Duration latency) {
        return KIND.taking(new Latency.Fixed(latency));
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
        assertThat(bully.promised(Setting.standard(), crash)).contains(Property.UNIQUENESS, Property.AGREEMENT);
        assertThat(bully.promised(Setting.standard(), back))
                .contains(Property.AGREEMENT)
                .doesNotContain(Property.UNIQUENESS);
        assertThat(bully.promised(Setting.standard(), forgetful)).isEmpty();
    }

    @Test
    void what_bully_promises_depends_on_how_long_it_waits() {
        var bully = named("bully");
        var patient = bully.options().stream()
                .filter(option -> option.name().equals("answer"))
                .map(option -> choose(option, "200"))
                .findFirst()
                .orElseThrow();
        var slow = taking(millis(60)).watchedBy(new Detector.Oracle(millis(150)));
        assertThat(bully.promised(Setting.standard(), slow)).isEmpty();
        assertThat(bully.promised(patient, slow)).isNotEmpty();
    }

    private static <T> Setting choose(Option<T> option, String text) {
        return Setting.standard().with(option, option.read(text));
    }
}
