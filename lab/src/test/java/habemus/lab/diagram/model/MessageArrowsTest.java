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
    void an_arrow_connects_the_sending_event_with_the_receiving_event() {
        var arrows = MessageArrows.of(TraceFixture.of(2)
                .sends(1, 2, request(1, 1))
                .acquires(1)
                .receives(1)
                .events());

        assertThat(arrows).singleElement().satisfies(arrow -> {
            assertThat(arrow.sendIndex()).isEqualTo(0);
            assertThat(arrow.end()).isEqualTo(new End.Received(2));
        });
    }

    @Test
    void the_arrow_of_a_dropped_message_ends_at_the_drop() {
        var arrows = MessageArrows.of(TraceFixture.of(2)
                .sends(1, 2, request(1, 1))
                .endsAs(1, Fate.PARTITIONED)
                .events());

        assertThat(arrows).extracting(MessageArrow::end).containsExactly(new End.Dropped(1, Fate.PARTITIONED));
    }

    @Test
    void a_duplicated_message_has_two_arrows_and_the_second_is_the_duplicate() {
        var arrows = MessageArrows.of(TraceFixture.of(2)
                .sends(1, 2, request(1, 1))
                .endsAs(1, Fate.DUPLICATED)
                .receives(1)
                .receives(1)
                .events());

        assertThat(arrows).extracting(MessageArrow::end).containsExactly(new End.Received(2), new End.Received(3));
        assertThat(arrows).extracting(MessageArrow::duplicate).containsExactly(false, true);
    }

    @Test
    void a_duplicate_that_has_not_arrived_is_in_flight() {
        var arrows = MessageArrows.of(TraceFixture.of(2)
                .sends(1, 2, request(1, 1))
                .endsAs(1, Fate.DUPLICATED)
                .receives(1)
                .events());

        assertThat(arrows).extracting(MessageArrow::end).containsExactly(new End.Received(2), new End.InFlight());
    }

    @Test
    void a_message_without_a_receiver_is_in_flight_at_the_end() {
        var arrows =
                MessageArrows.of(TraceFixture.of(2).sends(1, 2, request(1, 1)).events());

        assertThat(arrows).extracting(MessageArrow::end).containsExactly(new End.InFlight());
    }

    @Test
    void a_message_sent_before_the_recording_is_left_out() {
        var events = TraceFixture.of(2).sends(1, 2, request(1, 1)).receives(1).events();

        assertThat(MessageArrows.of(events.subList(1, 2))).isEmpty();
    }

    @Test
    void an_application_message_has_its_own_kind_of_arrow() {
        var message = new InFlightMessage(9, n(1), n(2), "I have asked");
        var arrows = MessageArrows.of(TraceFixture.of(2)
                .adds(new TraceEvent.AppMessageSent(0, message))
                .adds(new TraceEvent.AppMessageReceived(5, message))
                .events());

        assertThat(arrows).containsExactly(new MessageArrow(message, 0, new End.Received(1), false, true));
    }

    @Test
    void in_a_run_without_faults_every_message_arrives_once() {
        var arrows = MessageArrows.of(SampleRuns.ricartAgrawala(3).events());

        assertThat(arrows).hasSize(12).allMatch(arrow -> arrow.end() instanceof End.Received && !arrow.duplicate());
    }
}
