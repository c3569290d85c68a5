package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.run.CompletedRun;
import habemus.lab.run.Scenario;
import habemus.lab.run.ScenarioPlayer;
import habemus.lab.trace.TraceText;
import habemus.protocol.NodeId;
import habemus.simulate.RunResult;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The scenarios of the bully algorithms, the collecting ring and max-alive. */
class BullyScenariosTest {

    private static CompletedRun play(String name) throws IOException {
        var scenario =
                Scenario.parse(name, Files.readString(CliRunner.scenarios().resolve(name + ".scenario")));
        return ScenarioPlayer.play(scenario).getFirst().completedRun();
    }

    private static RunResult outcome(String name) throws IOException {
        return play(name).runResult();
    }

    /** The leaders, in order. */
    private static List<NodeId> leaders(RunResult result) {
        return result.announcements().stream()
                .filter(leaderAnnouncement -> leaderAnnouncement.node().equals(leaderAnnouncement.leader()))
                .map(RunResult.LeaderAnnouncement::leader)
                .toList();
    }

    @Test
    void bully_stable_keeps_its_leader_where_bully_changes_it() throws IOException {
        var flapping = outcome("bully-flapping");
        var stable = outcome("bully-stable");
        assertThat(play("bully-flapping").experiment().arguments().options())
                .isEqualTo(play("bully-stable").experiment().arguments().options());
        assertThat(leaders(flapping)).containsExactly(n(3), n(2), n(3), n(2), n(3));
        assertThat(flapping.verdicts()).containsEntry(Property.STABILITY, Verdict.VIOLATED);
        assertThat(leaders(stable)).containsExactly(n(3), n(2));
        assertThat(stable.verdicts())
                .containsEntry(Property.STABILITY, Verdict.HOLDS)
                .containsEntry(Property.AGREEMENT, Verdict.HOLDS);
    }

    @Test
    void bully_leader_crash_goes_from_the_living_leader_n5_to_n4() throws IOException {
        var run = play("bully-leader-crash");
        assertThat(leaders(run.runResult())).containsExactly(n(5), n(4));
        assertThat(run.runResult().hasFailed()).isFalse();
        var stages = run.traceBuffer().lines().stream()
                .flatMap(line -> TraceText.of(line).stream())
                .map(line -> line.replaceFirst(".* ms +", "").replaceFirst(" +(sets|follows|cancels) .*", ""))
                .toList();
        assertThat(stages)
                .containsSubsequence(
                        "n5     campaign → Leading   LEADS term 1, sends Coordinator(1) to {n1 n2 n3 n4}",
                        "*      n5 crashes",
                        "n1     campaign → Asking   sends Election to {n2 n3 n4 n5},",
                        "n4     Election from n1 → Asking   sends Answer to n1, sends Election to {n5},",
                        "n1     Answer from n4 → AwaitingCoordinator",
                        "n4     OVERDUE timeout → Leading   LEADS term 2, sends Coordinator(2) to {n1 n2 n3}");
    }

    @Test
    void in_bully_cascade_n2_asks_again_before_it_leads() throws IOException {
        var steps = play("bully-cascade").traceBuffer().lines().stream()
                .filter(line ->
                        line instanceof TraceEvent.Step step && step.node().equals(n(2)))
                .flatMap(line -> TraceText.of(line).stream())
                .filter(line -> line.contains("timeout"))
                .toList();
        assertThat(steps.getFirst()).contains("Asking   sends Election to {n3 n4}");
        assertThat(steps.getLast()).contains("LEADS term 1");
    }

    @Test
    void ring_skip_skips_n3_removes_a_list_and_all_agree() throws IOException {
        var run = play("ring-skip");
        assertThat(run.runResult().announcements())
                .extracting(RunResult.LeaderAnnouncement::node)
                .containsExactlyInAnyOrder(n(1), n(2), n(4), n(5));
        assertThat(run.runResult().announcements())
                .extracting(RunResult.LeaderAnnouncement::leader)
                .containsOnly(n(5));
        assertThat(run.runResult().messages()).isEqualTo(9);
        assertThat(run.traceBuffer().lines().stream().filter(TraceEvent.MessageOutcome.class::isInstance))
                .isEmpty();
        assertThat(run.runResult().hasFailed()).isFalse();
    }

    @Test
    void max_alive_wrong_has_two_leaders_and_converges_to_one() throws IOException {
        var result = outcome("max-alive-wrong");
        assertThat(result.verdicts())
                .containsEntry(Property.UNIQUENESS, Verdict.VIOLATED)
                .containsEntry(Property.AGREEMENT, Verdict.HOLDS);
        assertThat(leaders(result)).containsExactly(n(3), n(2));
    }

    @Test
    void bully_efficient_appoints_n3_after_n4_has_crashed() throws IOException {
        var result = outcome("bully-efficient-appoints");
        assertThat(leaders(result)).containsExactly(n(3));
        assertThat(result.hasFailed()).isFalse();
    }

    private static NodeId n(int number) {
        return new NodeId(number);
    }
}
