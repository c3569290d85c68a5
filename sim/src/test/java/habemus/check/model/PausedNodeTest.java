package habemus.check.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.check.ModelChecker;
import habemus.election.Bully;
import habemus.election.MaxAlive;
import habemus.mutex.Central;
import habemus.protocol.Protocol;
import habemus.protocol.Ranking;
import habemus.world.FaultKind;
import habemus.world.Property;
import habemus.world.Topology;
import habemus.world.Verdict;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A node that stands still in the checker's world. */
class PausedNodeTest {

    private static final Scope THREE = Scope.of(Topology.complete(3)).synchronous();
    private static final Bully BULLY = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));
    private static final Central LEASING = new Central(Duration.ofMillis(400), false);

    private static ReplayResult play(Protocol<?, ?> protocol, String moves) {
        return ModelChecker.play(protocol, THREE, Schedule.parse(moves));
    }

    private static void isImpossible(Protocol<?, ?> protocol, String moves) {
        int many = moves.split("\\.").length;
        assertThatThrownBy(() -> play(protocol, moves))
                .isInstanceOf(Schedule.InvalidScheduleException.class)
                .hasMessageStartingWith("move " + many + ",");
    }

    @Test
    void who_stands_still_neither_asks_nor_hears_nor_leaves_nor_stops_again() {
        isImpossible(LEASING, "2pause.2ask");
        isImpossible(LEASING, "2ask.1from2.2pause.2from1");
        isImpossible(LEASING, "2ask.1from2.2from1.2pause.2leave");
        isImpossible(LEASING, "2pause.2pause");
        isImpossible(LEASING, "2resume");
    }

    @Test
    void its_alarms_do_not_ring_and_those_of_others_do_not_wait_for_them() {
        var inside = "2ask.1from2.2from1.";
        isImpossible(LEASING, inside + "1ring-LEASE_ENDS@8");
        isImpossible(LEASING, inside + "2pause.2ring-GIVE_UP@4");
        assertThat(play(LEASING, inside + "2pause.1ring-LEASE_ENDS@8.2resume.2ring-GIVE_UP")
                        .quiescent())
                .isFalse();
    }

    @Test
    void alarms_of_others_do_not_wait_for_messages_to_it() {
        isImpossible(BULLY, "2ask.2ring-OVERDUE@2");
        assertThat(play(BULLY, "2ask.3pause.2ring-OVERDUE@2").trace()).isNotEmpty();
    }

    @Test
    void what_has_piled_up_comes_in_any_order_and_before_time_passes() {
        var late = "3crash.2ask.3gone2.1ask.3gone1.2lost1.1pause.2ring-OVERDUE@2.1resume.";
        play(BULLY, late + "1ring-OVERDUE");
        play(BULLY, late + "1from2");
        play(BULLY, late + "1suspect3");
        isImpossible(BULLY, late + "2suspect3");
    }

    @Test
    void what_arrived_before_an_alarm_ran_out_comes_before_it() {
        var late = "3crash.1ask.3gone1.1pause.2from1.3gone2.2ring-OVERDUE@2.1resume.";
        isImpossible(BULLY, late + "1ring-OVERDUE");
        play(BULLY, late + "1from2.1from2");
        play(BULLY, late + "1suspect3");
    }

    @Test
    void it_goes_on_in_the_end() {
        assertThat(play(LEASING, "2pause").quiescent()).isFalse();
        assertThat(play(LEASING, "2pause.2resume").quiescent()).isTrue();
    }

    @Test
    void nobody_suspects_it() {
        isImpossible(BULLY, "3pause.1suspect3");
        play(BULLY, "3crash.1suspect3");
    }

    @Test
    void who_crashes_then_stands_still_no_longer() {
        isImpossible(BULLY, "3pause.3crash.3resume");
        play(BULLY, "3pause.3crash.3amnesia.3ask");
    }

    @Test
    void it_may_be_cut_off_meanwhile() {
        play(LEASING, "2ask.1from2.2pause.2part-2.2cutoff1.2mend.2resume");
    }

    @Test
    void where_alarms_ring_at_any_time_it_is_nothing_new() {
        var scope = Scope.of(Topology.complete(3));
        var paused = ModelChecker.check(LEASING, scope.withFault(FaultKind.PAUSE, 1));
        var kind = ModelChecker.check(LEASING, scope);
        assertThat(paused.states()).isEqualTo(kind.states());
        assertThat(kind.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_lease_does_not_exclude_a_holder_that_stands_still() {
        var kind = ModelChecker.check(LEASING, THREE);
        assertThat(kind.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
        var paused = ModelChecker.check(LEASING, THREE.withFault(FaultKind.PAUSE, 1), Property.MUTUAL_EXCLUSION);
        assertThat(paused.find("mutual-exclusion").orElseThrow().schedule())
                .hasToString("2ask.1from2.1ask.2from1.2pause.1ring-LEASE_ENDS@8");
        assertThat(paused.states()).isEqualTo(1_956);
    }

    @Test
    void without_alarms_it_only_makes_others_wait() {
        var checkReport = ModelChecker.check(new MaxAlive(Ranking.BY_NUMBER), THREE.withFault(FaultKind.PAUSE, 1));
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
    }
}
