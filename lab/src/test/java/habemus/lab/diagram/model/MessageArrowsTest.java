package habemus.lab.diagram.model;

import static habemus.lab.TraceFixture.n;
import static habemus.lab.TraceFixture.request;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.SampleRuns;
import habemus.lab.TraceFixture;
import habemus.lab.diagram.model.MessageArrow.End;
import habemus.world.InFlightMessage;
import habemus.world.TraceEvent;
import habemus.world.TraceEvent.Fate;
import org.junit.jupiter.api.Test;

class MessageArrowsTest {

    @Test
    void a_message_goes_from_the_line_that_sent_it_to_the_line_that_received_it() {
        var messageArrows = MessageArrows.of(TraceFixture.of(2)
                .sends(1, 2, request(1, 1))
                .acquires(1)
                .receives(1)
                .events());

        assertThat(messageArrows).singleElement().satisfies(messageArrow -> {
            assertThat(messageArrow.sendIndex()).isEqualTo(0);
            assertThat(messageArrow.end()).isEqualTo(new End.Received(2));
        });
    }

    @Test
    void a_lost_message_ends_where_it_was_lost() {
        var messageArrows = MessageArrows.of(TraceFixture.of(2)
                .sends(1, 2, request(1, 1))
                .endsAs(1, Fate.PARTITIONED)
                .events());

        assertThat(messageArrows).extracting(MessageArrow::end).containsExactly(new End.Dropped(1, Fate.PARTITIONED));
    }

    @Test
    void a_duplicated_message_is_two_arrows_and_the_second_is_the_copy() {
        var messageArrows = MessageArrows.of(TraceFixture.of(2)
                .sends(1, 2, request(1, 1))
                .endsAs(1, Fate.DUPLICATED)
                .receives(1)
                .receives(1)
                .events());

        assertThat(messageArrows)
                .extracting(MessageArrow::end)
                .containsExactly(new End.Received(2), new End.Received(3));
        assertThat(messageArrows).extracting(MessageArrow::duplicate).containsExactly(false, true);
    }

    @Test
    void a_copy_that_has_not_come_yet_is_under_way() {
        var messageArrows = MessageArrows.of(TraceFixture.of(2)
                .sends(1, 2, request(1, 1))
                .endsAs(1, Fate.DUPLICATED)
                .receives(1)
                .events());

        assertThat(messageArrows)
                .extracting(MessageArrow::end)
                .containsExactly(new End.Received(2), new End.InFlight());
    }

    @Test
    void a_message_that_nobody_received_is_under_way_at_the_end() {
        var messageArrows =
                MessageArrows.of(TraceFixture.of(2).sends(1, 2, request(1, 1)).events());

        assertThat(messageArrows).extracting(MessageArrow::end).containsExactly(new End.InFlight());
    }

    @Test
    void a_message_that_was_sent_before_the_recording_is_left_out() {
        var lines = TraceFixture.of(2).sends(1, 2, request(1, 1)).receives(1).events();

        assertThat(MessageArrows.of(lines.subList(1, 2))).isEmpty();
    }

    @Test
    void what_applications_tell_each_other_is_an_arrow_of_its_own_kind() {
        var inFlightMessage = new InFlightMessage(9, n(1), n(2), "I have asked");
        var messageArrows = MessageArrows.of(TraceFixture.of(2)
                .adds(new TraceEvent.AppMessageSent(0, inFlightMessage))
                .adds(new TraceEvent.AppMessageReceived(5, inFlightMessage))
                .events());

        assertThat(messageArrows)
                .containsExactly(new MessageArrow(inFlightMessage, 0, new End.Received(1), false, true));
    }

    @Test
    void in_a_run_without_faults_every_message_arrives_once() {
        var messageArrows = MessageArrows.of(SampleRuns.ricartAgrawala(3).events());

        assertThat(messageArrows)
                .hasSize(12)
                .allMatch(messageArrow -> messageArrow.end() instanceof End.Received && !messageArrow.duplicate());
    }
}
