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

/** A run as a text: written, read, played, and ordered for reading. */
class ScheduleTest {

    private static final Scope THREE = Scope.of(Topology.complete(3));
    private static final RicartAgrawala PUBLISHED = new RicartAgrawala(false, List.of());

    /** As a search found it: whatever was met first. */
    private static final String RESTLESS =
            "1ask.2from1.1from2.2ask.3from2.3from1.1from3.1leave.1ask.1from2.2from1.1from2.3from1.1from3";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1ask",
                "12leave.3crash.3restart.3crash.3amnesia",
                "1suspect2.1restore2.1mistake2",
                "2pause.2resume",
                "2from1.2from1-3.2gone1.2lost1-2.2twice1",
                "2part-2_3.2mend.1mute-1_3.2cutoff1-2",
                "1ring-OVERDUE.1ring-OVERDUE@4",
                "1start:3.1ask:2,0.2from1/3.2from1-2:1/3"
            })
    void what_was_read_is_written_the_same(String text) {
        assertThat(Schedule.parse(text)).hasToString(text).isEqualTo(Schedule.parse(text));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ask",
                "1",
                "1ask2",
                "1from",
                "1ring",
                "0ask",
                "1from0",
                "1ask-2",
                "1from2-0",
                "1part",
                "1sing"
            })
    void what_is_no_move_is_said(String text) {
        assertThatThrownBy(() -> Schedule.parse("1ask." + text))
                .isInstanceOf(Schedule.InvalidScheduleException.class)
                .hasMessage("move 2, '" + text + "', is no move");
    }

    @Test
    void a_move_that_is_not_possible_is_said_with_those_that_are() {
        assertThatThrownBy(() -> ModelChecker.play(PUBLISHED, THREE, Schedule.parse("1ask.2from1.1from3")))
                .isInstanceOfSatisfying(
                        Schedule.InvalidScheduleException.class,
                        invalidScheduleException -> assertThat(invalidScheduleException.hint())
                                .isEqualTo("possible are 1from2, 2ask, 3ask, 3from1"))
                .hasMessage("move 3, 1from3, is not possible there");
    }

    @Test
    void a_run_that_is_played_is_judged() {
        var replayResult = ModelChecker.play(PUBLISHED, THREE, Schedule.parse(RESTLESS));
        assertThat(replayResult.trace().getLast())
                .isEqualTo(new TraceEvent.Violated(14, Property.HAPPENED_BEFORE_ORDER));
        assertThat(replayResult.quiescent()).isFalse();
        assertThat(ModelChecker.play(PUBLISHED, THREE, Schedule.parse("1ask.2from1.3lost1.1from2")))
                .satisfies(lost -> assertThat(lost.quiescent()).isTrue())
                .satisfies(
                        lost -> assertThat(lost.trace()).contains(new TraceEvent.Violated(4, Property.NO_STARVATION)));
    }

    @Test
    void letters_that_overtake_are_called_by_their_place() {
        var overtaking = "2ask.1from2.1ask.2from1-2";
        var replayResult = ModelChecker.play(new Lamport(), THREE.withUnorderedLinks(), Schedule.parse(overtaking));
        assertThat(replayResult.schedule()).hasToString(overtaking);
        assertThatThrownBy(() -> ModelChecker.play(new Lamport(), THREE, Schedule.parse(overtaking)))
                .hasMessage("move 4, 2from1-2, is not possible there");
    }

    @Test
    void in_bursts_it_is_as_long_and_comes_to_the_same() {
        var plain = ModelChecker.play(PUBLISHED, THREE, Schedule.parse(RESTLESS));
        var bursts = ModelChecker.playReadable(PUBLISHED, THREE, plain.schedule());
        assertThat(bursts.schedule().size()).isEqualTo(plain.schedule().size());
        assertThat(bursts.trace().getLast()).isEqualTo(plain.trace().getLast());
        assertThat(switches(plain.schedule())).isEqualTo(9);
        assertThat(switches(bursts.schedule())).isEqualTo(6);
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
