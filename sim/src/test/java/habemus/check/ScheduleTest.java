package habemus.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.check.model.Schedule;
import habemus.check.model.Scope;
import habemus.mutex.Lamport;
import habemus.mutex.RicartAgrawala;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.TraceEvent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Schedules as text: parsed, printed, played, and put into a readable order. */
class ScheduleTest {

    private static final Scope THREE = Scope.of(Topology.complete(3));
    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());

    /** In the order in which a search found it. */
    private static final String UNORDERED =
            "1request.2from1.1from2.2request.3from2.3from1.1from3.1release.1request.1from2.2from1.1from2.3from1.1from3";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1request",
                "12release.3crash.3restart.3crash.3amnesia",
                "1suspect2.1restore2.1mistake2",
                "2pause.2resume",
                "2from1.2from1-3.2dropped1.2lost1-2.2twice1",
                "2partition-2_3.2heal.1mute-1_3.2cut1-2",
                "1timeout-OVERDUE.1timeout-OVERDUE@4",
                "1start:3.1request:2,0.2from1/3.2from1-2:1/3"
            })
    void a_parsed_schedule_prints_the_same_text(String text) {
        assertThat(Schedule.parse(text)).hasToString(text).isEqualTo(Schedule.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ask",
                "1",
                "1request2",
                "1from",
                "1timeout",
                "0request",
                "1from0",
                "1request-2",
                "1from2-0",
                "1partition",
                "1sing"
            })
    void a_word_that_is_not_a_move_is_named(String text) {
        assertThatThrownBy(() -> Schedule.parse("1request." + text))
                .isInstanceOf(Schedule.InvalidScheduleException.class)
                .hasMessage("move 2 is not a move: '" + text + "'");
    }

    @Test
    void the_error_of_an_impossible_move_names_the_possible_ones() {
        assertThatThrownBy(() -> ModelChecker.play(PUBLISHED, THREE, Schedule.parse("1request.2from1.1from3")))
                .isInstanceOfSatisfying(
                        Schedule.InvalidScheduleException.class,
                        invalidScheduleException -> assertThat(invalidScheduleException.hint())
                                .isEqualTo("possible moves: 1from2, 2request, 3request, 3from1"))
                .hasMessage("move 3 is not possible: 1from3");
    }

    @Test
    void a_played_run_is_checked() {
        var replayResult = ModelChecker.play(PUBLISHED, THREE, Schedule.parse(UNORDERED));
        assertThat(replayResult.trace().getLast())
                .isEqualTo(new TraceEvent.Violated(14, Property.HAPPENED_BEFORE_ORDER));
        assertThat(replayResult.quiescent()).isFalse();
        assertThat(ModelChecker.play(PUBLISHED, THREE, Schedule.parse("1request.2from1.3lost1.1from2")))
                .satisfies(lost -> assertThat(lost.quiescent()).isTrue())
                .satisfies(
                        lost -> assertThat(lost.trace()).contains(new TraceEvent.Violated(4, Property.NO_STARVATION)));
    }

    @Test
    void a_message_that_overtakes_is_named_by_its_position() {
        var overtaking = "2request.1from2.1request.2from1-2";
        var replayResult = ModelChecker.play(new Lamport(), THREE.withUnorderedLinks(), Schedule.parse(overtaking));
        assertThat(replayResult.schedule()).hasToString(overtaking);
        assertThatThrownBy(() -> ModelChecker.play(new Lamport(), THREE, Schedule.parse(overtaking)))
                .hasMessage("move 4 is not possible: 2from1-2");
    }

    @Test
    void the_readable_order_has_the_same_moves_and_fewer_switches() {
        var played = ModelChecker.play(PUBLISHED, THREE, Schedule.parse(UNORDERED));
        var readable = ModelChecker.playReadable(PUBLISHED, THREE, played.schedule());
        assertThat(readable.schedule().size()).isEqualTo(played.schedule().size());
        assertThat(readable.trace().getLast()).isEqualTo(played.trace().getLast());
        assertThat(switches(played.schedule())).isEqualTo(9);
        assertThat(switches(readable.schedule())).isEqualTo(6);
    }

    private static int switches(Schedule schedule) {
        var moves = schedule.moves();
        int switches = 0;
        for (int i = 1; i < moves.size(); i++) {
            switches += moves.get(i).node().equals(moves.get(i - 1).node()) ? 0 : 1;
        }
        return switches;
    }
}
