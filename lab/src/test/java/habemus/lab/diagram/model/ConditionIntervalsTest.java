package habemus.lab.diagram.model;

import static habemus.lab.TraceFixture.n;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.SampleRuns;
import habemus.lab.TraceFixture;
import habemus.lab.diagram.model.NodeCondition.Down;
import habemus.lab.diagram.model.NodeCondition.Following;
import habemus.lab.diagram.model.NodeCondition.Holding;
import habemus.lab.diagram.model.NodeCondition.Leading;
import habemus.lab.diagram.model.NodeCondition.Paused;
import habemus.lab.diagram.model.NodeCondition.Waiting;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.TraceEvent.Start;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionIntervalsTest {

    private static List<ConditionInterval> spans(TraceFixture traceFixture) {
        return ConditionIntervals.of(traceFixture.recording());
    }

    @Test
    void a_node_waits_then_holds_until_it_releases() {
        assertThat(spans(TraceFixture.of(1).acquires(1).enters(1, 5).releases(1)))
                .containsExactly(
                        new ConditionInterval(n(1), new Waiting(), 0, 1),
                        new ConditionInterval(n(1), new Holding(5), 1, 2));
    }

    @Test
    void an_interval_without_an_end_lasts_until_the_last_event() {
        assertThat(spans(TraceFixture.of(1).acquires(1)))
                .containsExactly(new ConditionInterval(n(1), new Waiting(), 0, 1));
    }

    @Test
    void a_node_that_lost_the_lock_no_longer_holds_it() {
        var lost = new Effect.Lost<>();

        assertThat(spans(TraceFixture.of(1)
                        .enters(1, 5)
                        .steps(1, new Event.Timeout<>(TraceFixture.Timer.OVERDUE), lost)))
                .containsExactly(new ConditionInterval(n(1), new Holding(5), 0, 1));
    }

    @Test
    void a_crash_ends_the_role_and_a_restart_ends_the_crash() {
        assertThat(spans(TraceFixture.of(1)
                        .enters(1, 5)
                        .injects(new Fault.Crash(n(1)))
                        .injects(new Fault.Crash(n(1)))
                        .starts(1, Start.WITH_MEMORY)))
                .containsExactly(
                        new ConditionInterval(n(1), new Holding(5), 0, 1),
                        new ConditionInterval(n(1), new Down(), 1, 3));
    }

    @Test
    void healing_ends_a_pause_but_not_a_crash() {
        assertThat(spans(TraceFixture.of(2)
                        .injects(new Fault.Pause(n(1)))
                        .injects(new Fault.Crash(n(2)))
                        .injects(new Fault.Heal())
                        .acquires(1)))
                .contains(
                        new ConditionInterval(n(1), new Paused(), 0, 2), new ConditionInterval(n(2), new Down(), 1, 4));
    }

    @Test
    void a_node_that_announces_itself_leads_and_others_follow() {
        assertThat(spans(TraceFixture.of(2).elects(1, 1, 1).elects(2, 1, 1).elects(1, 2, 2)))
                .containsExactly(
                        new ConditionInterval(n(1), new Leading(1), 0, 2),
                        new ConditionInterval(n(2), new Following(n(1), 1), 1, 3),
                        new ConditionInterval(n(1), new Following(n(2), 2), 2, 3));
    }

    @Test
    void announcing_the_same_leader_again_changes_nothing() {
        assertThat(spans(TraceFixture.of(1).elects(1, 1, 1).elects(1, 1, 1)))
                .containsExactly(new ConditionInterval(n(1), new Leading(1), 0, 2));
    }

    @Test
    void a_candidate_waits_unless_it_knows_a_leader() {
        assertThat(spans(TraceFixture.of(1)
                        .steps(1, new Event.Campaign<>())
                        .elects(1, 1, 1)
                        .steps(1, new Event.Campaign<>())))
                .containsExactly(
                        new ConditionInterval(n(1), new Waiting(), 0, 1),
                        new ConditionInterval(n(1), new Leading(1), 1, 3));
    }

    @Test
    void two_holders_overlap_while_both_hold() {
        var intervals =
                spans(TraceFixture.of(2).enters(1, 5).enters(2, 6).releases(1).releases(2));

        assertThat(OverlapInterval.of(intervals, false))
                .containsExactly(new OverlapInterval(NodeSet.of(n(1), n(2)), 1, 2));
    }

    @Test
    void consecutive_holders_do_not_overlap_even_at_the_same_time() {
        assertThat(OverlapInterval.of(
                        spans(TraceFixture.of(2).enters(1, 5).releases(1).enters(2, 6)), false))
                .isEmpty();
    }

    @Test
    void a_crashed_leader_does_not_overlap_with_the_next() {
        assertThat(OverlapInterval.of(
                        spans(TraceFixture.of(2)
                                .elects(1, 1, 1)
                                .injects(new Fault.Crash(n(1)))
                                .elects(2, 2, 2)),
                        false))
                .isEmpty();
    }

    @Test
    void leaders_of_a_replicated_log_overlap_only_in_one_term() {
        var intervals = spans(TraceFixture.of(3).elects(1, 1, 1).elects(2, 2, 1).elects(3, 3, 2));

        assertThat(OverlapInterval.of(intervals, false)).hasSize(3);
        assertThat(OverlapInterval.of(intervals, true))
                .containsExactly(new OverlapInterval(NodeSet.of(n(1), n(2)), 1, 3));
    }

    @Test
    void a_correct_run_has_no_overlap() {
        assertThat(OverlapInterval.of(ConditionIntervals.of(SampleRuns.ricartAgrawala(5)), false))
                .isEmpty();
    }

    @Test
    void a_cut_lasts_until_it_is_healed_or_everything_is() {
        var one = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), true);
        var other = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(3)), false);
        var events = TraceFixture.of(3)
                .injects(one)
                .injects(other)
                .injects(new Fault.HealCut(one))
                .injects(new Fault.Heal())
                .events();

        assertThat(CutInterval.of(events)).containsExactly(new CutInterval(one, 0, 2), new CutInterval(other, 1, 3));
    }
}
