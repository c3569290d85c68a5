package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliRunner;
import habemus.election.Franklin;
import habemus.election.ItaiRodeh;
import habemus.lab.run.CompletedRun;
import habemus.lab.run.Scenario;
import habemus.lab.run.ScenarioPlayer;
import habemus.protocol.NodeId;
import habemus.simulate.RunResult;
import habemus.world.Property;
import habemus.world.TraceEvent;
import habemus.world.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The scenarios of elections on rings. */
class RingScenariosTest {

    private static CompletedRun play(String name) throws IOException {
        var scenario =
                Scenario.parse(name, Files.readString(CliRunner.scenarios().resolve(name + ".scenario")));
        return ScenarioPlayer.play(scenario).getFirst().completedRun();
    }

    private static List<Integer> leaders(CompletedRun run) {
        return run.runResult().announcements().stream()
                .filter(named -> named.node().equals(named.leader()))
                .map(named -> named.leader().number())
                .toList();
    }

    @Test
    void anonymous_one_elects_one_leader() throws IOException {
        var run = play("anonymous-one");
        assertThat(leaders(run)).containsExactly(1);
        assertThat(run.runResult().messages()).isEqualTo(2L * run.experiment().nodes());
        assertThat(run.runResult().verdicts()).containsEntry(Property.UNIQUENESS, Verdict.HOLDS);
    }

    @Test
    void anonymous_two_elects_two_leaders() throws IOException {
        var run = play("anonymous-two");
        assertThat(leaders(run)).containsExactly(1, 3);
        assertThat(run.runResult().messages()).isEqualTo(2L * run.experiment().nodes());
        assertThat(run.runResult().verdicts()).containsEntry(Property.UNIQUENESS, Verdict.VIOLATED);
    }

    @Test
    void franklin_six_halves_the_candidates_and_elects_in_round_three() throws IOException {
        var run = play("franklin-six");
        var active = new HashMap<Integer, TreeSet<Integer>>();
        for (var state : states(run, Franklin.State.class)) {
            if (state.phase() instanceof Franklin.Phase.Active(var round, var heard, var answered)) {
                active.computeIfAbsent(round, any -> new TreeSet<>())
                        .add(state.self().number());
            }
        }
        assertThat(active)
                .isEqualTo(Map.of(
                        1, new TreeSet<>(List.of(1, 2, 3, 4, 5, 6)),
                        2, new TreeSet<>(List.of(4, 5, 6)),
                        3, new TreeSet<>(List.of(6))));
        assertThat(leaders(run)).containsExactly(6);
        assertThat(run.runResult().hasFailed()).isFalse();
    }

    @Test
    void franklin_answers_elects_the_same_leader_and_answers_every_id_of_two_rounds() throws IOException {
        var result = play("franklin-six-answers").runResult();
        assertThat(leaders(play("franklin-six-answers"))).containsExactly(6);
        assertThat(result.hasFailed()).isFalse();
        var plain = play("franklin-six").runResult().messagesByType();
        assertThat(result.messagesByType())
                .containsEntry("Candidate", plain.get("Candidate"))
                .containsEntry(
                        "Answer",
                        2L * 2 * play("franklin-six-answers").experiment().nodes());
    }

    @Test
    void itai_rodeh_again_draws_a_tie_and_elects_one_leader() throws IOException {
        var run = play("itai-rodeh-again");
        var rolled = states(run, ItaiRodeh.State.class).stream()
                .filter(state -> state.phase() instanceof ItaiRodeh.Phase.Drawing)
                .count();
        assertThat(rolled).isGreaterThan(run.experiment().nodes());
        assertThat(leaders(run)).hasSize(1);
        assertThat(run.runResult().verdicts())
                .containsEntry(Property.TERMINATION, Verdict.HOLDS)
                .containsEntry(Property.UNIQUENESS, Verdict.HOLDS);
    }

    private static <S> List<S> states(CompletedRun run, Class<S> type) {
        return run.traceBuffer().lines().stream()
                .filter(TraceEvent.NodeStep.class::isInstance)
                .map(line -> type.cast(((TraceEvent.NodeStep) line).state()))
                .toList();
    }

    @ParameterizedTest
    @CsvSource({"hirschberg-sinclair-five, 60", "peterson-five, 30"})
    void all_five_nodes_announce_n5(String name, long messages) throws IOException {
        var result = play(name).runResult();
        assertThat(result.announcements())
                .hasSize(5)
                .extracting(RunResult.LeaderAnnouncement::leader)
                .containsOnly(new NodeId(5));
        assertThat(result.messages()).isEqualTo(messages);
        assertThat(result.hasFailed()).isFalse();
    }
}
