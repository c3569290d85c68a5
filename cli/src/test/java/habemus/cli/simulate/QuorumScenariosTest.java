package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.lab.run.Scenario;
import habemus.lab.run.ScenarioPlayer;
import habemus.mutex.Maekawa.State;
import habemus.mutex.Quorum;
import habemus.protocol.NodeId;
import habemus.simulate.RunResult;
import habemus.world.InFlightMessage;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The scenarios of quorum algorithms. */
class QuorumScenariosTest {

    private static List<RunResult> outcomes(String name) throws IOException {
        var scenario =
                Scenario.parse(name, Files.readString(CliRunner.scenarios().resolve(name + ".scenario")));
        return ScenarioPlayer.play(scenario).stream()
                .map(playedCommand -> playedCommand.completedRun().runResult())
                .toList();
    }

    private static RunResult outcome(String name) throws IOException {
        return outcomes(name).getFirst();
    }

    private static List<Integer> entered(RunResult result) {
        return result.grants().stream().map(grant -> grant.node().number()).toList();
    }

    @Test
    void maekawa_deadlock_ends_in_a_cycle_of_three_waiters() throws IOException {
        var result = outcome("maekawa-deadlock");
        assertThat(result.end()).isEqualTo(RunResult.End.REST);
        assertThat(result.verdicts()).containsEntry(Property.DEADLOCK_FREEDOM, Verdict.VIOLATED);
        assertThat(result.waiters())
                .extracting(waiter -> waiter.node() + " " + ((State) waiter.state()).phase())
                .containsExactly(
                        "n1 Waiting[missing={n2}, fence=0]",
                        "n2 Waiting[missing={n3}, fence=0]",
                        "n3 Waiting[missing={n1}, fence=0]");
    }

    @Test
    void maekawa_cured_grants_all_requests() throws IOException {
        assertThat(entered(outcome("maekawa-cured"))).containsExactlyInAnyOrder(1, 2, 3);
        assertThat(outcome("maekawa-cured").hasFailed()).isFalse();
    }

    @Test
    void quorum_success_grants_n4_and_then_n5() throws IOException {
        assertThat(entered(outcome("quorum-success"))).containsExactly(4, 5);
        assertThat(outcome("quorum-success").hasFailed()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"quorum-amnesia-3", "quorum-amnesia-7"})
    void quorum_amnesia_has_two_holders(String name) throws IOException {
        assertThat(outcome(name).verdicts()).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
    }

    @Test
    void in_quorum_amnesia_3_n3_grants_n5_before_n2_restarts_and_grants_it_too() throws IOException {
        var grants = PlayedScenario.play("quorum-amnesia-3").getFirst().traceBuffer().lines().stream()
                .flatMap(line ->
                        line instanceof TraceEvent.Step step ? step.sent().stream() : Stream.<InFlightMessage>empty())
                .filter(message -> message.message() instanceof Quorum.Message.Grant)
                .limit(4)
                .map(message -> message.from() + " to " + message.to());
        assertThat(grants).containsExactly("n1 to n4", "n2 to n4", "n3 to n5", "n2 to n5");
    }

    @Test
    void quorum_durable_is_safe() throws IOException {
        assertThat(entered(outcome("quorum-durable"))).containsExactly(4, 5);
        assertThat(outcome("quorum-durable").hasFailed()).isFalse();
    }

    @Test
    void quorum_delayed_restart_is_safe_with_a_long_delay() throws IOException {
        var runResults = outcomes("quorum-delayed-restart");
        assertThat(runResults.getFirst().hasFailed()).isFalse();
        assertThat(runResults.getLast().verdicts()).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
    }

    @Test
    void quorum_one_each_is_resolved_by_a_retry() throws IOException {
        var result = outcome("quorum-one-each");
        assertThat(result.grants())
                .extracting(RunResult.GrantRecord::node)
                .contains(new NodeId(1), new NodeId(2), new NodeId(3));
        assertThat(result.grants().getFirst().micros()).isGreaterThan(50_000);
        assertThat(result.hasFailed()).isFalse();
    }
}
