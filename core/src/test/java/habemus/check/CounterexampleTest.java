package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;

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
import habemus.world.Hazard;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceLine;
import habemus.world.Verdict;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A counterexample is a run: made again by the algorithm alone, event by event, it comes to the same states. */
class CounterexampleTest {

    private static final Topology THREE = Topology.complete(3);
    private static final Effort FIRST = Effort.ample().stoppingAtViolation();

    @Test
    void of_a_mutex_replays() {
        var scope = Scope.of(THREE);
        replay(new RicartAgrawalaByPriority(), scope, Property.MUTUAL_EXCLUSION);
        replay(new RicartAgrawala(false, List.of()), scope.entering(2), Property.HAPPENED_BEFORE_ORDER);
        replay(new RicartAgrawala(false, List.of()), scope.allowing(Hazard.LOSS, 1), Property.NO_STARVATION);
        replay(new Lamport(), scope.unordered().spending(FIRST), Property.MUTUAL_EXCLUSION);
    }

    @Test
    void of_an_election_replays() {
        var bully = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));
        var scope = Scope.of(THREE).spending(FIRST).allowing(Hazard.CRASH, 1);
        replay(bully, scope, Property.UNIQUENESS);
        replay(bully, scope.allowing(Hazard.RESTART, 1).synchronous(), Property.STABILITY);
        replay(bully, scope.allowing(Hazard.AMNESIA, 1).synchronous(), Property.UNIQUENESS);
        replay(bully, scope.synchronous().cutting().unordered(), Property.ONE_LEADER_PER_TERM);
        replay(
                bully,
                Scope.of(THREE).spending(FIRST).allowing(Hazard.MISTAKE, 1).synchronous(),
                Property.UNIQUENESS);
        replay(bully, Scope.of(THREE).spending(FIRST).allowing(Hazard.PAUSE, 1).synchronous(), Property.UNIQUENESS);
    }

    @Test
    void of_a_reduced_search_replays_with_all_that_hurried() {
        var few = Effort.ample().reducingOrder().states(1_500);
        var scope = Scope.of(THREE).unordered().spending(few);
        replay(new RicartAgrawalaByPriority(), scope, Property.MUTUAL_EXCLUSION);
        replay(new RicartAgrawala(false, List.of()), scope.allowing(Hazard.CRASH, 1), Property.NO_STARVATION);
    }

    @Test
    void of_a_search_that_is_reduced_by_symmetry_replays_under_the_first_names() {
        var few = Effort.ample().reducingSymmetry().states(20);
        var scope = Scope.of(THREE).unordered();
        replay(new Central(true), scope.spending(few), Property.MUTUAL_EXCLUSION);
        replay(new Central(true), scope.spending(few.reducingOrder()), Property.MUTUAL_EXCLUSION);
    }

    @Test
    void ends_with_the_event_that_was_impossible() {
        var scope = Scope.of(THREE).allowing(Hazard.DUPLICATION, 1);
        var report = Checker.check(new RicartAgrawala(false, List.of()), scope, Property.MUTUAL_EXCLUSION);
        var run = report.find(Report.PROTOCOL_BUG).orElseThrow().run();
        assertThat(run)
                .anyMatch(line -> line instanceof TraceLine.Fared fared && fared.fate() == TraceLine.Fate.DUPLICATED);
        assertThat(run.getLast()).isInstanceOf(TraceLine.Stepped.class);
        var schedule = report.find(Report.PROTOCOL_BUG).orElseThrow().schedule();
        assertThat(schedule).hasToString("1ask.2from1.1twice2.1from2");
        var again = Checker.play(new RicartAgrawala(false, List.of()), Scope.of(THREE), schedule);
        assertThat(again.lines()).isEqualTo(run);
        assertThat(again.bug()).hasValueSatisfying(bug -> assertThat(bug).startsWith("Reply from n2 cannot happen"));
    }

    @Test
    void shows_what_was_impure() {
        var report = Checker.check(new Impatient(), Scope.of(THREE).spending(FIRST), Property.UNIQUENESS);
        var impure = report.find(Report.IMPURE).orElseThrow();
        assertThat(impure.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(impure.run().getLast().at()).isEqualTo(2);
    }

    @Test
    void dice_fall_in_every_way() {
        var scope = Scope.of(Topology.complete(1));
        var report = Checker.check(new DicingRing(), scope, Property.TERMINATION, Property.ONE_LEADER_PER_TERM);
        assertThat(report.states()).isEqualTo(1 + 3 * 2);
        assertThat(report.transitions()).isEqualTo(6);
        assertThat(report.verdict(Property.TERMINATION)).isEqualTo(Verdict.VIOLATED);
        assertThat(report.find("termination").orElseThrow().schedule()).hasToString("1ask:0,0");
    }

    private static <S, M> void replay(Protocol<S, M> protocol, Scope scope, Property property) {
        var finding = Checker.check(protocol, scope, property)
                .find(property.toString())
                .orElseThrow();
        assertThat(finding.verdict()).isEqualTo(Verdict.VIOLATED);
        assertThat(finding.run().getLast()).isInstanceOf(TraceLine.Violated.class);
        var schedule = Schedule.parse(finding.schedule().toString());
        assertThat(Checker.play(protocol, scope, schedule).lines()).isEqualTo(finding.run());
        var states = new HashMap<NodeId, S>();
        var underWay = new HashSet<Long>();
        long time = 0;
        for (TraceLine line : finding.run()) {
            assertThat(line.at()).isBetween(time, time + 1);
            time = line.at();
            if (line instanceof TraceLine.Acted acted) {
                var step = again(protocol, states, acted, underWay);
                assertThat(acted.state()).isEqualTo(step.state());
                assertThat(acted.effects()).hasToString(step.effects().toString());
                states.put(acted.node(), step.state());
                acted.sent().forEach(mail -> underWay.add(mail.number()));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <S, M> Step<S, M> again(
            Protocol<S, M> protocol, Map<NodeId, S> states, TraceLine.Acted acted, Set<Long> underWay) {
        return switch (acted) {
            case TraceLine.Started started
            when started.how() == TraceLine.Start.WITH_MEMORY -> {
                var durable = (Durable<S, M, Object>) protocol;
                yield durable.restart(THREE.place(started.node()), durable.memory(states.get(started.node())));
            }
            case TraceLine.Started started -> protocol.start(THREE.place(started.node()));
            case TraceLine.Stepped stepped -> {
                assertThat(stepped.mail() == 0 || underWay.remove(stepped.mail()))
                        .isTrue();
                yield protocol.step(states.get(stepped.node()), (Event<M>) stepped.event());
            }
        };
    }
}
