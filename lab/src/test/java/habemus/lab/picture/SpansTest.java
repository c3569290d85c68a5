package habemus.lab.picture;

import static habemus.lab.Story.n;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.Runs;
import habemus.lab.Story;
import habemus.lab.picture.Condition.Down;
import habemus.lab.picture.Condition.Following;
import habemus.lab.picture.Condition.Inside;
import habemus.lab.picture.Condition.Leading;
import habemus.lab.picture.Condition.Paused;
import habemus.lab.picture.Condition.Waiting;
import habemus.protocol.Effect;
import habemus.protocol.Event;
import habemus.protocol.NodeSet;
import habemus.world.Fault;
import habemus.world.TraceLine.Start;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpansTest {

    private static List<Span> spans(Story story) {
        return Spans.of(story.recording());
    }

    @Test
    void a_node_waits_then_is_inside_until_it_releases() {
        assertThat(spans(Story.of(1).acquires(1).enters(1, 5).releases(1)))
                .containsExactly(new Span(n(1), new Waiting(), 0, 1), new Span(n(1), new Inside(5), 1, 2));
    }

    @Test
    void what_has_not_ended_lasts_until_the_end() {
        assertThat(spans(Story.of(1).acquires(1))).containsExactly(new Span(n(1), new Waiting(), 0, 1));
    }

    @Test
    void who_is_told_that_it_has_lost_is_no_longer_inside() {
        var lost = new Effect.Lost<>();

        assertThat(spans(Story.of(1).enters(1, 5).steps(1, new Event.Elapsed<>(Story.Alarm.OVERDUE), lost)))
                .containsExactly(new Span(n(1), new Inside(5), 0, 1));
    }

    @Test
    void a_crash_ends_the_role_and_a_restart_ends_the_crash() {
        assertThat(spans(Story.of(1)
                        .enters(1, 5)
                        .strikes(new Fault.Crash(n(1)))
                        .strikes(new Fault.Crash(n(1)))
                        .starts(1, Start.WITH_MEMORY)))
                .containsExactly(new Span(n(1), new Inside(5), 0, 1), new Span(n(1), new Down(), 1, 3));
    }

    @Test
    void healing_ends_a_pause_but_not_a_crash() {
        assertThat(spans(Story.of(2)
                        .strikes(new Fault.Pause(n(1)))
                        .strikes(new Fault.Crash(n(2)))
                        .strikes(new Fault.Heal())
                        .acquires(1)))
                .contains(new Span(n(1), new Paused(), 0, 2), new Span(n(2), new Down(), 1, 4));
    }

    @Test
    void who_names_itself_leads_and_who_names_another_follows() {
        assertThat(spans(Story.of(2).names(1, 1, 1).names(2, 1, 1).names(1, 2, 2)))
                .containsExactly(
                        new Span(n(1), new Leading(1), 0, 2),
                        new Span(n(2), new Following(n(1), 1), 1, 3),
                        new Span(n(1), new Following(n(2), 2), 2, 3));
    }

    @Test
    void naming_the_same_leader_again_changes_nothing() {
        assertThat(spans(Story.of(1).names(1, 1, 1).names(1, 1, 1)))
                .containsExactly(new Span(n(1), new Leading(1), 0, 2));
    }

    @Test
    void who_campaigns_waits_unless_it_knows_a_leader() {
        assertThat(spans(Story.of(1)
                        .steps(1, new Event.Campaign<>())
                        .names(1, 1, 1)
                        .steps(1, new Event.Campaign<>())))
                .containsExactly(new Span(n(1), new Waiting(), 0, 1), new Span(n(1), new Leading(1), 1, 3));
    }

    @Test
    void two_inside_at_once_clash_for_as_long_as_both_are() {
        var spans = spans(Story.of(2).enters(1, 5).enters(2, 6).releases(1).releases(2));

        assertThat(Clash.in(spans)).containsExactly(new Clash(NodeSet.of(n(1), n(2)), 1, 2));
    }

    @Test
    void one_after_another_does_not_clash_even_at_the_same_time() {
        assertThat(Clash.in(spans(Story.of(2).enters(1, 5).releases(1).enters(2, 6))))
                .isEmpty();
    }

    @Test
    void a_leader_that_crashed_does_not_clash_with_the_next() {
        assertThat(Clash.in(spans(Story.of(2)
                        .names(1, 1, 1)
                        .strikes(new Fault.Crash(n(1)))
                        .names(2, 2, 2))))
                .isEmpty();
    }

    @Test
    void a_correct_run_has_no_clash() {
        assertThat(Clash.in(Spans.of(Runs.ricartAgrawala(5)))).isEmpty();
    }

    @Test
    void a_cut_lasts_until_it_is_mended_or_all_is_healed() {
        var one = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(2)), true);
        var other = new Fault.Cut(NodeSet.of(n(1)), NodeSet.of(n(3)), false);
        var lines = Story.of(3)
                .strikes(one)
                .strikes(other)
                .strikes(new Fault.Mend(one))
                .strikes(new Fault.Heal())
                .lines();

        assertThat(Band.in(lines)).containsExactly(new Band(one, 0, 2), new Band(other, 1, 3));
    }
}
