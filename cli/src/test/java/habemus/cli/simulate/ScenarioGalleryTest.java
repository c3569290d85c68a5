package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.election.ChangRoberts;
import habemus.lab.run.CompletedRun;
import habemus.lab.run.PlayedCommand;
import habemus.lab.run.Scenario;
import habemus.lab.run.ScenarioPlayer;
import habemus.protocol.NodeId;
import habemus.simulate.RunResult;
import habemus.world.InFlightMessage;
import habemus.world.Property;
import habemus.world.ProtectedResource;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every scenario of the gallery plays as recorded and has the outcome of its title. */
class ScenarioGalleryTest {

    static Stream<Path> files() throws IOException {
        try (var files = Files.list(CliRunner.scenarios())) {
            return files.filter(file -> file.toString().endsWith(".scenario")).sorted().toList().stream();
        }
    }

    /** {@code -Dhabemus.rewrite=true} records the scenarios again: review the diff before the commit. */
    @ParameterizedTest
    @MethodSource("files")
    void a_scenario_plays_as_recorded(Path file) throws IOException {
        var text = Files.readString(file);
        var scenario = Scenario.parse(file.getFileName().toString(), text);
        var now = ScenarioPlayer.withNewOutputs(scenario, play(scenario)).format();
        if (Boolean.getBoolean("habemus.rewrite")) {
            Files.writeString(file, now);
        } else {
            assertThat(now).isEqualTo(text);
        }
    }

    private static List<PlayedCommand> play(Scenario scenario) {
        return ScenarioPlayer.play(scenario);
    }

    private static CompletedRun play(String name) throws IOException {
        var file = CliRunner.scenarios().resolve(name + ".scenario");
        return play(Scenario.parse(name, Files.readString(file))).getFirst().completedRun();
    }

    private static RunResult outcome(String name) throws IOException {
        return play(name).runResult();
    }

    @Test
    void central_three_grants_the_three_participants_in_order_and_acknowledges_each_release() throws IOException {
        var result = outcome("central-three");
        assertThat(entered(result)).containsExactly(n(2), n(3), n(4));
        assertThat(result.messagesByType()).containsEntry("Ack", 3L);
    }

    @Test
    void central_holder_crash_starves_n3() throws IOException {
        var result = outcome("central-holder-crash");
        assertThat(result.waiters()).extracting(RunResult.Waiter::node).containsExactly(n(3));
        assertThat(result.verdicts()).containsEntry(Property.DEADLOCK_FREEDOM, Verdict.VIOLATED);
    }

    @Test
    void central_lease_recovers_and_grants_n3_after_the_lease() throws IOException {
        var result = outcome("central-lease-recovers");
        assertThat(entered(result)).containsExactly(n(2), n(3));
        assertThat(result.hasFailed()).isFalse();
    }

    @Test
    void central_lease_violates_has_two_holders_and_loses_the_newer_write() throws IOException {
        var result = outcome("central-lease-violates");
        assertThat(result.verdicts()).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
        assertThat(result.resource().stale()).isEqualTo(1);
    }

    @Test
    void central_lease_fenced_has_two_holders_and_rejects_the_late_write() throws IOException {
        var result = outcome("central-lease-fenced");
        assertThat(result.verdicts()).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
        assertThat(result.resource()).isEqualTo(new ProtectedResource(true, 2, 1, 1, 0));
    }

    @Test
    void token_ring_two_users_grants_3_1_3() throws IOException {
        assertThat(entered(outcome("token-ring-two-users"))).containsExactly(n(3), n(1), n(3));
    }

    @Test
    void token_lost_blocks_until_the_token_is_regenerated() throws IOException {
        var file = CliRunner.scenarios().resolve("token-lost.scenario");
        var playedCommand = play(Scenario.parse("token-lost", Files.readString(file)));
        assertThat(playedCommand.getFirst().completedRun().runResult().waiters())
                .extracting(RunResult.Waiter::node)
                .containsExactly(n(3), n(4));
        var cured = playedCommand.getLast().completedRun().runResult();
        assertThat(entered(cured)).containsExactly(n(2), n(4), n(3));
        assertThat(cured.hasFailed()).isFalse();
    }

    private static List<NodeId> entered(RunResult result) {
        return result.grants().stream().map(RunResult.GrantRecord::node).toList();
    }

    @Test
    void ra_41_34_grants_n2_before_n1() throws IOException {
        var result = outcome("ra-41-34");
        assertThat(result.grants()).extracting(RunResult.GrantRecord::node).containsExactly(n(2), n(1));
        assertThat(result.grants()).extracting(grant -> grant.fence() >> 20).containsExactly(34L, 41L);
        assertThat(result.hasFailed()).isFalse();
    }

    @Test
    void ra_priority_has_two_holders() throws IOException {
        assertThat(outcome("ra-priority").verdicts()).containsEntry(Property.MUTUAL_EXCLUSION, Verdict.VIOLATED);
    }

    @Test
    void chang_roberts_ring_carries_17_then_24_then_28_and_all_eight_know() throws IOException {
        var run = play("chang-roberts-ring");
        var carried = run.traceBuffer().lines().stream()
                .flatMap(line -> line instanceof TraceEvent.NodeStep step
                        ? step.sent().stream()
                        : Stream.<InFlightMessage>empty())
                .map(InFlightMessage::message)
                .filter(ChangRoberts.Message.Candidate.class::isInstance)
                .map(message -> ((ChangRoberts.Message.Candidate) message).id().number())
                .distinct();
        assertThat(carried).containsExactly(17, 24, 28);
        assertThat(run.runResult().announcements())
                .hasSize(8)
                .allSatisfy(leaderAnnouncement ->
                        assertThat(leaderAnnouncement.leader()).isEqualTo(n(28)));
        assertThat(run.runResult().hasFailed()).isFalse();
    }

    @Test
    void chang_roberts_worst_costs_3n_less_1() throws IOException {
        var run = play("chang-roberts-worst");
        assertThat(run.runResult().messages()).isEqualTo(3L * run.experiment().nodes() - 1);
    }

    @Test
    void bully_five_elects_n4() throws IOException {
        assertLed("bully-five", 4);
    }

    @Test
    void bully_cascade_elects_n2() throws IOException {
        assertLed("bully-cascade", 2);
    }

    private static void assertLed(String name, int leader) throws IOException {
        var result = outcome(name);
        assertThat(result.announcements())
                .isNotEmpty()
                .allSatisfy(leaderAnnouncement ->
                        assertThat(leaderAnnouncement.leader()).isEqualTo(n(leader)));
        assertThat(result.hasFailed()).isFalse();
    }

    @Test
    void bully_short_timer_has_two_leaders() throws IOException {
        var result = outcome("bully-short-timer");
        assertThat(result.verdicts()).containsEntry(Property.UNIQUENESS, Verdict.VIOLATED);
        assertThat(result.announcements().stream().filter(e -> e.node().equals(e.leader())))
                .extracting(RunResult.LeaderAnnouncement::leader)
                .containsExactly(n(2), n(1));
    }

    @Test
    void the_packaged_scenarios_are_those_of_the_folder() throws IOException {
        assertThat(ScenarioGallery.scenarios())
                .extracting(Scenario::origin)
                .containsExactlyElementsOf(
                        files().map(file -> file.getFileName().toString().replace(".scenario", ""))
                                .sorted()
                                .toList());
    }

    private static NodeId n(int number) {
        return new NodeId(number);
    }
}
