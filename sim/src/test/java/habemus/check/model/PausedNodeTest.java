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

/** What a paused node may do in the model checker, and what it means for the others. */
class PausedNodeTest {

    private static final Scope THREE = Scope.of(Topology.complete(3)).synchronous();
    private static final Bully BULLY = new Bully(Ranking.BY_NUMBER, Duration.ofMillis(100), Duration.ofMillis(500));
    private static final Central LEASING = new Central(Duration.ofMillis(400), false);

    private static ReplayResult play(Protocol<?, ?> protocol, String moves) {
        return ModelChecker.play(protocol, THREE, Schedule.parse(moves));
    }

    private static void isImpossible(Protocol<?, ?> protocol, String moves) {
        int last = moves.split("\\.").length;
        assertThatThrownBy(() -> play(protocol, moves))
                .isInstanceOf(Schedule.InvalidScheduleException.class)
                .hasMessageStartingWith("move " + last + " is not possible: ");
    }

    @Test
    void a_paused_node_neither_requests_nor_receives_nor_releases_nor_pauses_again() {
        isImpossible(LEASING, "2pause.2request");
        isImpossible(LEASING, "2request.1from2.2pause.2from1");
        isImpossible(LEASING, "2request.1from2.2from1.2pause.2release");
        isImpossible(LEASING, "2pause.2pause");
        isImpossible(LEASING, "2resume");
    }

    @Test
    void the_timers_of_a_paused_node_do_not_fire_and_other_timers_do_not_wait_for_them() {
        var holding = "2request.1from2.2from1.";
        isImpossible(LEASING, holding + "1timeout-LEASE_EXPIRY@8");
        isImpossible(LEASING, holding + "2pause.2timeout-HOLDER_EXPIRY@4");
        assertThat(play(LEASING, holding + "2pause.1timeout-LEASE_EXPIRY@8.2resume.2timeout-HOLDER_EXPIRY")
                        .quiescent())
                .isFalse();
    }

    @Test
    void timers_of_other_nodes_do_not_wait_for_messages_to_a_paused_node() {
        isImpossible(BULLY, "2request.2timeout-OVERDUE@2");
        assertThat(play(BULLY, "2request.3pause.2timeout-OVERDUE@2").trace()).isNotEmpty();
    }

    @Test
    void a_resumed_node_handles_waiting_events_in_any_order_before_time_passes() {
        var resumed = "3crash.2request.3dropped2.1request.3dropped1.2lost1.1pause.2timeout-OVERDUE@2.1resume.";
        play(BULLY, resumed + "1timeout-OVERDUE");
        play(BULLY, resumed + "1from2");
        play(BULLY, resumed + "1suspect3");
        isImpossible(BULLY, resumed + "2suspect3");
    }

    @Test
    void a_resumed_node_receives_messages_that_arrived_before_a_timeout_first() {
        var resumed = "3crash.1request.3dropped1.1pause.2from1.3dropped2.2timeout-OVERDUE@2.1resume.";
        isImpossible(BULLY, resumed + "1timeout-OVERDUE");
        play(BULLY, resumed + "1from2.1from2");
        play(BULLY, resumed + "1suspect3");
    }

    @Test
    void a_paused_node_resumes_eventually() {
        assertThat(play(LEASING, "2pause").quiescent()).isFalse();
        assertThat(play(LEASING, "2pause.2resume").quiescent()).isTrue();
    }

    @Test
    void a_detector_does_not_suspect_a_paused_node() {
        isImpossible(BULLY, "3pause.1suspect3");
        play(BULLY, "3crash.1suspect3");
    }

    @Test
    void a_crash_ends_a_pause() {
        isImpossible(BULLY, "3pause.3crash.3resume");
        play(BULLY, "3pause.3crash.3amnesia.3request");
    }

    @Test
    void a_partition_may_separate_a_paused_node() {
        play(LEASING, "2request.1from2.2pause.2partition-2.2cut1.2heal.2resume");
    }

    @Test
    void a_pause_adds_no_states_if_timers_fire_at_any_time() {
        var scope = Scope.of(Topology.complete(3));
        var paused = ModelChecker.check(LEASING, scope.withFault(FaultKind.PAUSE, 1));
        var withoutPauses = ModelChecker.check(LEASING, scope);
        assertThat(paused.states()).isEqualTo(withoutPauses.states());
        assertThat(withoutPauses.verdict(Property.MUTUAL_EXCLUSION)).isEqualTo(Verdict.VIOLATED);
    }

    @Test
    void a_lease_does_not_exclude_a_paused_holder() {
        var withoutPauses = ModelChecker.check(LEASING, THREE);
        assertThat(withoutPauses.isComplete()).isTrue();
        assertThat(withoutPauses.hasViolation()).isFalse();
        var paused = ModelChecker.check(LEASING, THREE.withFault(FaultKind.PAUSE, 1), Property.MUTUAL_EXCLUSION);
        assertThat(paused.find("mutual-exclusion").orElseThrow().schedule())
                .hasToString("2request.1from2.1request.2from1.2pause.1timeout-LEASE_EXPIRY@8");
        assertThat(paused.states()).isEqualTo(1_956);
    }

    @Test
    void without_timers_a_pause_only_delays_the_others() {
        var checkReport = ModelChecker.check(new MaxAlive(Ranking.BY_NUMBER), THREE.withFault(FaultKind.PAUSE, 1));
        assertThat(checkReport.isComplete()).isTrue();
        assertThat(checkReport.findings()).allMatch(finding -> finding.verdict() == Verdict.HOLDS);
    }
}
