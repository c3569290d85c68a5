package habemus.lab.picture;

import static habemus.lab.Story.n;
import static habemus.lab.Story.request;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.Runs;
import habemus.lab.Story;
import habemus.lab.picture.Arrow.End;
import habemus.world.Mail;
import habemus.world.TraceLine;
import habemus.world.TraceLine.Fate;
import org.junit.jupiter.api.Test;

class ArrowsTest {

    @Test
    void a_message_goes_from_the_line_that_sent_it_to_the_line_that_received_it() {
        var arrows = Arrows.in(
                Story.of(2).sends(1, 2, request(1, 1)).acquires(1).receives(1).lines());

        assertThat(arrows).singleElement().satisfies(arrow -> {
            assertThat(arrow.sent()).isEqualTo(0);
            assertThat(arrow.end()).isEqualTo(new End.Received(2));
        });
    }

    @Test
    void a_lost_message_ends_where_it_was_lost() {
        var arrows = Arrows.in(
                Story.of(2).sends(1, 2, request(1, 1)).fares(1, Fate.CUT_OFF).lines());

        assertThat(arrows).extracting(Arrow::end).containsExactly(new End.Failed(1, Fate.CUT_OFF));
    }

    @Test
    void a_duplicated_message_is_two_arrows_and_the_second_is_the_copy() {
        var arrows = Arrows.in(Story.of(2)
                .sends(1, 2, request(1, 1))
                .fares(1, Fate.DUPLICATED)
                .receives(1)
                .receives(1)
                .lines());

        assertThat(arrows).extracting(Arrow::end).containsExactly(new End.Received(2), new End.Received(3));
        assertThat(arrows).extracting(Arrow::copy).containsExactly(false, true);
    }

    @Test
    void a_copy_that_has_not_come_yet_is_under_way() {
        var arrows = Arrows.in(Story.of(2)
                .sends(1, 2, request(1, 1))
                .fares(1, Fate.DUPLICATED)
                .receives(1)
                .lines());

        assertThat(arrows).extracting(Arrow::end).containsExactly(new End.Received(2), new End.UnderWay());
    }

    @Test
    void a_message_that_nobody_received_is_under_way_at_the_end() {
        var arrows = Arrows.in(Story.of(2).sends(1, 2, request(1, 1)).lines());

        assertThat(arrows).extracting(Arrow::end).containsExactly(new End.UnderWay());
    }

    @Test
    void a_message_that_was_sent_before_the_recording_is_left_out() {
        var lines = Story.of(2).sends(1, 2, request(1, 1)).receives(1).lines();

        assertThat(Arrows.in(lines.subList(1, 2))).isEmpty();
    }

    @Test
    void what_applications_tell_each_other_is_an_arrow_of_its_own_kind() {
        var mail = new Mail(9, n(1), n(2), "I have asked");
        var arrows = Arrows.in(Story.of(2)
                .says(new TraceLine.Told(0, mail))
                .says(new TraceLine.Heard(5, mail))
                .lines());

        assertThat(arrows).containsExactly(new Arrow(mail, 0, new End.Received(1), false, true));
    }

    @Test
    void in_a_run_without_faults_every_message_arrives_once() {
        var arrows = Arrows.in(Runs.ricartAgrawala(3).lines());

        assertThat(arrows).hasSize(12).allMatch(arrow -> arrow.end() instanceof End.Received && !arrow.copy());
    }
}
