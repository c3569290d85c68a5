package habemus.check.counterexample;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.check.ModelChecker;
import habemus.check.QueueCoordinator;
import habemus.check.model.CheckOptions;
import habemus.check.model.CheckReport;
import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.election.Bully;
import habemus.mutex.Lamport;
import habemus.mutex.RicartAgrawala;
import habemus.mutex.RicartAgrawalaByPriority;
import habemus.protocol.Durable;
import habemus.protocol.Event;
import habemus.protocol.NodeId;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.protocol.Step;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A counterexample is a real run: replaying its events on the algorithm alone leads to the same states. */
class CounterexampleTest {

    private static final Topology THREE = Topology.complete(3);
    private static final CheckOptions FIRST = CheckOptions.defaults().withStop(CheckOptions.Stop.AT_FIRST_VIOLATION);

    @Test
    void a_counterexample_of_a_mutex_replays() {
        var scope = Scope.of(THREE);
        replay(new RicartAgrawalaByPriority(), scope, Property.MUTUAL_EXCLUSION);
        replay(new RicartAgrawala(false, List.of()), scope.withRequestsPerNode(2), Property.HAPPENED_BEFORE_ORDER);
        replay(new RicartAgrawala(false, List.of()), scope.withFault(FaultKind.LOSS, 1), Property.NO_STARVATION);
        replay(new Lamport(), scope.withUnorderedLinks().withOptions(FIRST), Property.MUTUAL_EXCLUSION);
    }

    @Test
    void a_counterexample_of_an_election_replays() {
        var bully = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));
        var scope = Scope.of(THREE).withOptions(FIRST).withFault(FaultKind.CRASH, 1);
        replay(bully, scope, Property.UNIQUENESS);
        replay(bully, scope.withFault(FaultKind.RESTART, 1).synchronous(), Property.STABILITY);
        replay(bully, scope.withFault(FaultKind.AMNESIA, 1).synchronous(), Property.UNIQUENESS);
        replay(bully, scope.synchronous().withMidStepCrashes().withUnorderedLinks(), Property.ONE_LEADER_PER_TERM);
        replay(
                bully,
                Scope.of(THREE)
                        .withOptions(FIRST)
                        .withFault(FaultKind.MISTAKE, 1)
                        .synchronous(),
                Property.UNIQUENESS);
        replay(
                bully,
                Scope.of(THREE).withOptions(FIRST).withFault(FaultKind.PAUSE, 1).synchronous(),
                Property.UNIQUENESS);
    }

    @Test
    void a_counterexample_of_an_order_reduced_search_replays_with_the_eager_deliveries() {
        var options = CheckOptions.defaults().withOrderReduction().withMaxStates(1_500);
        var scope = Scope.of(THREE).withUnorderedLinks().withOptions(options);
        replay(new RicartAgrawalaByPriority(), scope, Property.MUTUAL_EXCLUSION);
        replay(new RicartAgrawala(false, List.of()), scope.withFault(FaultKind.CRASH, 1), Property.NO_STARVATION);
    }

    @Test
    void a_counterexample_of_a_symmetry_reduced_search_replays_with_the_original_node_ids() {
        var options = CheckOptions.defaults().withSymmetryReduction().withMaxStates(20);
        var scope = Scope.of(THREE).withUnorderedLinks();
        replay(new QueueCoordinator(true), scope.withOptions(options), Property.MUTUAL_EXCLUSION);
        replay(new QueueCoordinator(true), scope.withOptions(options.withOrderReduction()), Property.MUTUAL_EXCLUSION);
    }

    @Test
    void the_run_to_a_protocol_bug_ends_with_the_failing_event() {
        var scope = Scope.of(THREE).withFault(FaultKind.DUPLICATION, 1);
        var report = ModelChecker.check(new RicartAgrawala(false, List.of()), scope, Property.MUTUAL_EXCLUSION);
        var run = report.find(CheckReport.PROTOCOL_BUG).orElseThrow().trace();
        assertThat(run)
                .anyMatch(line -> line instanceof TraceEvent.MessageOutcome messageOutcome
                        && messageOutcome.fate() == TraceEvent.Fate.DUPLICATED);
        assertThat(run.getLast()).isInstanceOf(TraceEvent.Step.class);
        var schedule = report.find(CheckReport.PROTOCOL_BUG).orElseThrow().schedule();
        assertThat(schedule).hasToString("1request.2from1.1twice2.1from2");
        var again = ModelChecker.play(new RicartAgrawala(false, List.of()), Scope.of(THREE), schedule);
        assertThat(again.trace()).isEqualTo(run);
        assertThat(again.bug()).hasValueSatisfying(bug -> assertThat(bug).startsWith("Reply from n2 cannot happen"));
    }

    @Test
    void an_impure_step_is_a_finding() {
        var report = ModelChecker.check(new ImpureElection(), Scope.of(THREE).withOptions(FIRST), Property.UNIQUENESS);
        var impure = report.find(CheckReport.IMPURE).orElseThrow();
        assertThat(impure.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(impure.trace().getLast().at()).isEqualTo(2);
    }

    @Test
    void a_random_draw_has_every_outcome() {
        var scope = Scope.of(Topology.complete(1));
        var report =
                ModelChecker.check(new TwoDrawsElection(), scope, Property.TERMINATION, Property.ONE_LEADER_PER_TERM);
        assertThat(report.states()).isEqualTo(1 + 3 * 2);
        assertThat(report.transitions()).isEqualTo(6);
        assertThat(report.verdict(Property.TERMINATION)).isEqualTo(Verdict.VIOLATED);
        assertThat(report.find("termination").orElseThrow().schedule()).hasToString("1request:0,0");
    }

    private static <S, M> void replay(Protocol<S, M> protocol, Scope scope, Property property) {
        var finding = ModelChecker.check(protocol, scope, property)
                .find(property.toString())
                .orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(finding.trace().getLast()).isInstanceOf(TraceEvent.Violated.class);
        var schedule = Schedule.parse(finding.schedule().toString());
        assertThat(ModelChecker.play(protocol, scope, schedule).trace()).isEqualTo(finding.trace());
        var states = new HashMap<NodeId, S>();
        var inFlight = new HashSet<Long>();
        long time = 0;
        for (TraceEvent event : finding.trace()) {
            assertThat(event.at()).isBetween(time, time + 1);
            time = event.at();
            if (event instanceof TraceEvent.NodeStep nodeStep) {
                var step = again(protocol, states, nodeStep, inFlight);
                assertThat(nodeStep.state()).isEqualTo(step.state());
                assertThat(nodeStep.effects()).hasToString(step.effects().toString());
                states.put(nodeStep.node(), step.state());
                nodeStep.sent().forEach(inFlightMessage -> inFlight.add(inFlightMessage.number()));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <S, M> Step<S, M> again(
            Protocol<S, M> protocol, Map<NodeId, S> states, TraceEvent.NodeStep nodeStep, Set<Long> inFlight) {
        return switch (nodeStep) {
            case TraceEvent.Started started
            when started.how() == TraceEvent.Start.WITH_MEMORY -> {
                var durable = (Durable<S, M, Object>) protocol;
                yield durable.restart(
                        THREE.neighbourhood(started.node()), durable.durableState(states.get(started.node())));
            }
            case TraceEvent.Started started -> protocol.start(THREE.neighbourhood(started.node()));
            case TraceEvent.Step step -> {
                assertThat(step.messageNumber() == 0 || inFlight.remove(step.messageNumber()))
                        .isTrue();
                yield protocol.step(states.get(step.node()), (Event<M>) step.event());
            }
        };
    }
}
