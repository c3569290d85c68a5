package habemus.check.liveness;

import static habemus.world.Property.BOUNDED_WAITING;
import static habemus.world.Property.DEADLOCK_FREEDOM;
import static habemus.world.Property.NO_STARVATION;
import static habemus.world.Property.TERMINATION;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.BypassGrowth;
import habemus.check.ModelChecker;
import habemus.check.model.CheckOptions;
import habemus.check.model.Scope;
import habemus.mutex.Central;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.TokenRing;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.protocol.Protocol;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The verdicts on endless runs, and the bounds on bypasses. */
class LivenessCheckerTest {

    private static final Scope THREE = Scope.of(Topology.complete(3));
    private static final NodeSet THIRD = NodeSet.of(new NodeId(3));
    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void a_node_that_waits_forever_while_others_exchange_messages_is_starved(int threads) {
        var scope =
                THREE.withRequests(THIRD, 1).withOptions(CheckOptions.defaults().withThreads(threads));
        var checkReport = ModelChecker.check(new PingPongMutex(false), scope, NO_STARVATION, DEADLOCK_FREEDOM);
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.quiescent()).isZero();
        assertThat(checkReport.verdict(DEADLOCK_FREEDOM)).isEqualTo(Verdict.VIOLATED);
        var finding = checkReport.find(NO_STARVATION.toString()).orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(finding.loopStart()).hasValue(2);
        assertThat(finding.trace()).last().isEqualTo(new TraceEvent.Violated(4, NO_STARVATION));
    }

    @Test
    void the_loop_of_an_endless_run_ends_in_the_state_in_which_it_starts() {
        var starved = ModelChecker.check(new PingPongMutex(false), THREE, NO_STARVATION);
        var undecided = ModelChecker.check(new PostponedElection(true), Scope.of(Topology.ring(3)), TERMINATION);
        var passed = ModelChecker.check(
                new HighestIdFirst(), THREE.withUnorderedLinks().withRequestsPerNode(Scope.UNBOUNDED), BOUNDED_WAITING);
        for (var checkReport : List.of(starved, undecided, passed)) {
            var finding = checkReport.findings().getFirst();
            int loop = finding.loopStart().orElseThrow();
            assertThat(finding.trace().getLast().at()).isGreaterThan(loop);
            assertThat(globalState(finding.trace())).isEqualTo(globalState(upTo(loop, finding.trace())));
        }
    }

    private static List<TraceEvent> upTo(int loop, List<TraceEvent> run) {
        return run.stream().filter(line -> line.at() <= loop).toList();
    }

    /** The state of every node, and the messages in flight. */
    private static List<Object> globalState(List<TraceEvent> run) {
        var states = new TreeMap<NodeId, Object>();
        var inFlight = new TreeMap<Long, String>();
        for (TraceEvent line : run) {
            if (line instanceof TraceEvent.NodeStep nodeStep) {
                states.put(nodeStep.node(), nodeStep.state());
                nodeStep.sent()
                        .forEach(inFlightMessage -> inFlight.put(
                                inFlightMessage.number(),
                                inFlightMessage.from() + " " + inFlightMessage.to() + inFlightMessage.message()));
            }
            if (line instanceof TraceEvent.Step step) {
                inFlight.remove(step.messageNumber());
            }
        }
        return List.of(states, inFlight.values().stream().sorted().toList());
    }

    @Test
    void a_message_that_can_always_be_delivered_is_delivered() {
        for (var scope : List.of(THREE, THREE.withUnorderedLinks())) {
            var checkReport = ModelChecker.check(new PingPongMutex(true), scope, NO_STARVATION, DEADLOCK_FREEDOM);
            assertThat(checkReport.verdict(NO_STARVATION)).isEqualTo(Verdict.HOLDS);
            assertThat(checkReport.verdict(DEADLOCK_FREEDOM)).isEqualTo(Verdict.HOLDS);
        }
    }

    @Test
    void a_timer_that_is_always_set_again_need_not_fire() {
        var first = NodeSet.of(new NodeId(1));
        var scope = Scope.of(Topology.ring(2)).withRequests(first, 1);
        var finding = ModelChecker.check(new PostponedElection(true), scope, TERMINATION)
                .find(TERMINATION.toString())
                .orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(finding.loopStart()).hasValue(1);
        assertThat(finding.trace().getLast().at()).isEqualTo(3);
    }

    @Test
    void a_timer_that_is_not_set_again_fires() {
        assertThat(verdict(new PostponedElection(false), Scope.of(Topology.ring(2)), TERMINATION))
                .isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_random_draw_that_is_repeated_forever_has_every_outcome() {
        assertThat(verdict(new CoinElection(true), Scope.of(Topology.ring(3)), TERMINATION))
                .isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_random_draw_that_decides_nothing_may_be_repeated_forever() {
        assertThat(verdict(new CoinElection(false), Scope.of(Topology.ring(3)), TERMINATION))
                .isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_run_ended_by_the_limit_of_timeouts_is_not_endless() {
        var scope = Scope.of(Topology.ring(2)).withMaxTimeouts(0);
        assertThat(verdict(new PostponedElection(false), scope, TERMINATION)).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void a_node_that_is_bypassed_without_bound_is_starved_without_a_deadlock() {
        var callers = NodeSet.of(new NodeId(2), new NodeId(3));
        var checkReport = ModelChecker.check(
                new HighestIdFirst(), THREE.withUnorderedLinks().withRequests(callers, Scope.UNBOUNDED));
        assertThat(checkReport.verdict(DEADLOCK_FREEDOM)).isEqualTo(Verdict.HOLDS);
        assertThat(checkReport.verdict(NO_STARVATION)).isEqualTo(Verdict.VIOLATED);
        assertThat(checkReport.maxBypass()).hasValue(Scope.UNBOUNDED);
        var finding = checkReport.find(BOUNDED_WAITING.toString()).orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(finding.description()).isEqualTo("bypassed without bound");
        assertThat(finding.loopStart()).isPresent();
    }

    @Test
    void the_largest_bypass_is_reported() {
        assertBypass(new HighestIdFirst(), THREE.withRequests(NodeSet.of(new NodeId(2), new NodeId(3)), 3), 3);
        assertBypass(PUBLISHED, THREE, 2);
        assertBypass(PUBLISHED, THREE.withRequestsPerNode(2), 4);
        assertBypass(
                PUBLISHED,
                THREE.withRequestsPerNode(2).withOptions(CheckOptions.defaults().withThreads(2)),
                4);
    }

    @Test
    void a_bypass_above_the_bound_is_a_violation_with_its_count() {
        var checkReport = ModelChecker.check(
                PUBLISHED, THREE.withRequestsPerNode(2).withBypassBound(OptionalInt.of(1)), BOUNDED_WAITING);
        var finding = checkReport.find(BOUNDED_WAITING.toString()).orElseThrow();
        assertThat(finding.description()).isEqualTo("bypassed 4 times, allowed once");
        assertThat(finding.loopStart()).isEmpty();
    }

    @Test
    void liveness_stays_open_if_the_graph_does_not_fit_into_memory() {
        long tight = ModelChecker.check(new PingPongMutex(false), THREE).bytes() + 1;
        var checkReport = ModelChecker.check(
                new PingPongMutex(false),
                THREE.withOptions(CheckOptions.defaults().withMaxBytes(tight)));
        assertThat(checkReport.limitsReached()).singleElement().asString().startsWith("endless runs");
        assertThat(checkReport.verdict(NO_STARVATION)).isEqualTo(Verdict.OPEN);
        assertThat(checkReport.verdict(BOUNDED_WAITING)).isEqualTo(Verdict.OPEN);
        assertThat(checkReport.verdict(Property.FENCES_GROW)).isEqualTo(Verdict.HOLDS);
    }

    private static void assertBypass(Protocol<?, ?> protocol, Scope scope, int times) {
        var checkReport = ModelChecker.check(protocol, scope, BOUNDED_WAITING);
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.maxBypass()).hasValue(times);
        assertThat(checkReport.verdict(BOUNDED_WAITING)).isEqualTo(Verdict.OPEN);
    }

    @Test
    void waiting_is_bounded_only_if_a_bound_is_stated() {
        var scope = THREE.withRequestsPerNode(2);
        var stated = ModelChecker.check(PUBLISHED, scope.withBypassBound(OptionalInt.of(4)), BOUNDED_WAITING);
        assertThat(stated.verdict(BOUNDED_WAITING)).isEqualTo(Verdict.HOLDS);
        var finding = ModelChecker.check(PUBLISHED, scope, BOUNDED_WAITING)
                .find(BOUNDED_WAITING.toString())
                .orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.OPEN);
        assertThat(finding.description()).isEqualTo("largest bypass 4");
    }

    @Test
    void the_growth_of_the_largest_bypass_shows_whether_there_is_a_bound() {
        assertThat(growth(new Central(Duration.ZERO, false), 3)).hasToString("largest bypass 6, grows: 2, 4, 6");
        assertThat(growth(new TokenRing(false), 3)).hasToString("largest bypass 2, does not grow: 2, 2, 2");
        assertThat(growth(new TokenRing(false), 1)).hasToString("largest bypass 2");
    }

    private static BypassGrowth growth(Protocol<?, ?> protocol, int requests) {
        var scope = THREE.withRequestsPerNode(requests);
        return BypassGrowth.of(
                protocol, scope, ModelChecker.check(protocol, scope, BOUNDED_WAITING), Duration.ofDays(1));
    }

    @Test
    void without_time_for_the_smaller_worlds_the_growth_is_unknown() {
        var protocol = new Central(Duration.ZERO, false);
        var scope = THREE.withRequestsPerNode(2);
        var report = ModelChecker.check(protocol, scope, BOUNDED_WAITING);
        assertThat(BypassGrowth.of(protocol, scope, report, Duration.ZERO)).hasToString("largest bypass 4");
    }

    /** The listener is asked at the first states, and again when the search for cycles begins. */
    @Test
    void the_search_for_cycles_ends_when_the_listener_asks_for_it() {
        var options = CheckOptions.defaults().withProgressListener(progress -> progress.frontier() > 0);
        var report = ModelChecker.check(
                new CoinElection(false), Scope.of(Topology.ring(3)).withOptions(options), TERMINATION);
        assertThat(report.verdict(TERMINATION)).isEqualTo(Verdict.OPEN);
        assertThat(report.limitsReached()).containsExactly("endless runs: not all checked, interrupted");
    }

    private static Verdict verdict(Protocol<?, ?> protocol, Scope scope, Property property) {
        return ModelChecker.check(protocol, scope, property).verdict(property);
    }
}
