package habemus.check;

import static habemus.world.Property.BOUNDED_WAITING;
import static habemus.world.Property.DEADLOCK_FREEDOM;
import static habemus.world.Property.NO_STARVATION;
import static habemus.world.Property.TERMINATION;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.mutex.RicartAgrawala;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the checker says of runs without end, and of how long one waits. */
class LivenessTest {

    private static final Scope THREE = Scope.of(Topology.complete(3));
    private static final NodeSet THIRD = NodeSet.of(new NodeId(3));
    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void who_waits_for_ever_while_others_play_is_starved(int threads) {
        var scope = THREE.calling(THIRD, 1).spending(Effort.ample().threads(threads));
        var report = Checker.check(new Bystander(false), scope, NO_STARVATION, DEADLOCK_FREEDOM);
        assertThat(report.complete()).isTrue();
        assertThat(report.atRest()).isZero();
        assertThat(report.verdict(DEADLOCK_FREEDOM)).isEqualTo(Verdict.VIOLATED);
        var finding = report.find(NO_STARVATION.toString()).orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(finding.loop()).hasValue(2);
        assertThat(finding.run()).last().isEqualTo(new TraceLine.Violated(4, NO_STARVATION));
    }

    @Test
    void what_happens_again_and_again_ends_where_it_began() {
        var starved = Checker.check(new Bystander(false), THREE, NO_STARVATION);
        var undecided = Checker.check(new Undecided(true), Scope.of(Topology.ring(3)), TERMINATION);
        var passed = Checker.check(new Favourite(), THREE.unordered().entering(Scope.MANY), BOUNDED_WAITING);
        for (var report : List.of(starved, undecided, passed)) {
            var finding = report.findings().getFirst();
            int loop = finding.loop().orElseThrow();
            assertThat(finding.run().getLast().at()).isGreaterThan(loop);
            assertThat(situation(finding.run())).isEqualTo(situation(upTo(loop, finding.run())));
        }
    }

    private static List<TraceLine> upTo(int loop, List<TraceLine> run) {
        return run.stream().filter(line -> line.at() <= loop).toList();
    }

    /** The state of every node, and the messages under way. */
    private static List<Object> situation(List<TraceLine> run) {
        var states = new TreeMap<NodeId, Object>();
        var underWay = new TreeMap<Long, String>();
        for (TraceLine line : run) {
            if (line instanceof TraceLine.Acted acted) {
                states.put(acted.node(), acted.state());
                acted.sent()
                        .forEach(mail -> underWay.put(mail.number(), mail.from() + " " + mail.to() + mail.message()));
            }
            if (line instanceof TraceLine.Stepped stepped) {
                underWay.remove(stepped.mail());
            }
        }
        return List.of(states, underWay.values().stream().sorted().toList());
    }

    @Test
    void a_message_that_could_always_arrive_does() {
        for (var scope : List.of(THREE, THREE.unordered())) {
            var report = Checker.check(new Bystander(true), scope, NO_STARVATION, DEADLOCK_FREEDOM);
            assertThat(report.verdict(NO_STARVATION)).isEqualTo(Verdict.HOLDS);
            assertThat(report.verdict(DEADLOCK_FREEDOM)).isEqualTo(Verdict.HOLDS);
        }
    }

    @Test
    void nobody_leads_if_the_alarm_is_always_set_again() {
        var first = NodeSet.of(new NodeId(1));
        var scope = Scope.of(Topology.ring(2)).calling(first, 1);
        var finding = Checker.check(new Undecided(true), scope, TERMINATION)
                .find(TERMINATION.toString())
                .orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(finding.loop()).hasValue(1);
        assertThat(finding.run().getLast().at()).isEqualTo(3);
    }

    @Test
    void an_alarm_that_is_left_alone_rings() {
        assertThat(verdict(new Undecided(false), Scope.of(Topology.ring(2)), TERMINATION))
                .isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_coin_that_is_tossed_for_ever_shows_a_head_at_some_time() {
        assertThat(verdict(new Gambler(true), Scope.of(Topology.ring(3)), TERMINATION))
                .isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_coin_that_decides_nothing_goes_round_for_ever() {
        assertThat(verdict(new Gambler(false), Scope.of(Topology.ring(3)), TERMINATION))
                .isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_run_ended_by_the_number_of_alarms_is_no_run_without_end() {
        var scope = Scope.of(Topology.ring(2)).ringing(0);
        assertThat(verdict(new Undecided(false), scope, TERMINATION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void who_is_passed_without_end_is_starved_though_somebody_always_gets_in() {
        var callers = NodeSet.of(new NodeId(2), new NodeId(3));
        var report = Checker.check(new Favourite(), THREE.unordered().calling(callers, Scope.MANY));
        assertThat(report.verdict(DEADLOCK_FREEDOM)).isEqualTo(Verdict.HOLDS);
        assertThat(report.verdict(NO_STARVATION)).isEqualTo(Verdict.VIOLATED);
        assertThat(report.bypass()).hasValue(Scope.MANY);
        var finding = report.find(BOUNDED_WAITING.toString()).orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(finding.words()).isEqualTo("passed without end");
        assertThat(finding.loop()).isPresent();
    }

    @Test
    void whoever_waits_is_passed_so_often_at_most() {
        assertBypass(new Favourite(), THREE.calling(NodeSet.of(new NodeId(2), new NodeId(3)), 3), 3);
        assertBypass(PUBLISHED, THREE, 2);
        assertBypass(PUBLISHED, THREE.entering(2), 4);
        assertBypass(PUBLISHED, THREE.entering(2).spending(Effort.ample().threads(2)), 4);
    }

    @Test
    void the_run_to_the_largest_bypass_passes_so_often() {
        var report = Checker.check(PUBLISHED, THREE.entering(2).passing(OptionalInt.of(1)), BOUNDED_WAITING);
        var finding = report.find(BOUNDED_WAITING.toString()).orElseThrow();
        assertThat(finding.words()).isEqualTo("passed 4 times, 1 promised");
        assertThat(finding.loop()).isEmpty();
    }

    @Test
    void what_cannot_be_kept_in_memory_is_open() {
        long tight = Checker.check(new Bystander(false), THREE).bytes() + 1;
        var report = Checker.check(
                new Bystander(false), THREE.spending(Effort.ample().bytes(tight)));
        assertThat(report.bounded()).singleElement().asString().startsWith("endless runs");
        assertThat(report.verdict(NO_STARVATION)).isEqualTo(Verdict.OPEN);
        assertThat(report.verdict(BOUNDED_WAITING)).isEqualTo(Verdict.OPEN);
        assertThat(report.verdict(Property.FENCES_GROW)).isEqualTo(Verdict.HOLDS);
    }

    private static void assertBypass(Protocol<?, ?> protocol, Scope scope, int times) {
        var report = Checker.check(protocol, scope, BOUNDED_WAITING);
        assertThat(report.complete()).isTrue();
        assertThat(report.bypass()).hasValue(times);
        assertThat(report.verdict(BOUNDED_WAITING)).isEqualTo(Verdict.HOLDS);
    }

    private static Verdict verdict(Protocol<?, ?> protocol, Scope scope, Property property) {
        return Checker.check(protocol, scope, property).verdict(property);
    }
}
