package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.simulate.RunResult;
import habemus.world.Property;
import habemus.world.Verdict;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The scenarios of elections on graphs. */
class GraphScenariosTest {

    private static RunResult outcome(String name) throws IOException {
        return PlayedScenario.play(name).getFirst().runResult();
    }

    private static List<Integer> leaders(RunResult result) {
        return result.announcements().stream()
                .filter(leaderAnnouncement -> leaderAnnouncement.node().equals(leaderAnnouncement.leader()))
                .map(leaderAnnouncement -> leaderAnnouncement.leader().number())
                .toList();
    }

    @Test
    void yo_yo_graph_elects_a_leader_known_to_all_nodes() throws IOException {
        var result = outcome("yo-yo-graph");
        assertThat(leaders(result)).containsExactly(11);
        assertThat(result.announcements()).hasSize(11);
        assertThat(result.hasFailed()).isFalse();
    }

    @Test
    void yo_yo_partition_elects_a_leader_in_each_part() throws IOException {
        var result = outcome("yo-yo-partition");
        assertThat(leaders(result)).containsExactly(5, 11);
        assertThat(result.verdicts()).containsEntry(Property.UNIQUENESS, Verdict.VIOLATED);
    }

    @Test
    void any_yes_elects_the_same_leader_after_more_messages() throws IOException {
        var runs = PlayedScenario.play("yo-yo-one-yes");
        var all = runs.getFirst().runResult();
        var any = runs.getLast().runResult();
        assertThat(leaders(any)).isEqualTo(leaders(all)).containsExactly(9);
        assertThat(any.hasFailed()).isFalse();
        assertThat(any.messages()).isGreaterThan(all.messages());
    }

    @Test
    void if_the_link_fails_during_the_election_then_no_node_leads_or_only_one() throws IOException {
        var runs = PlayedScenario.play("yo-yo-link-failure");
        assertThat(leaders(runs.getFirst().runResult())).isEmpty();
        assertThat(leaders(runs.getLast().runResult())).containsExactly(11);
        assertThat(runs.getLast().runResult().announcements())
                .extracting(announcement -> announcement.node().number())
                .containsExactlyInAnyOrder(6, 7, 8, 9, 10, 11);
    }
}
