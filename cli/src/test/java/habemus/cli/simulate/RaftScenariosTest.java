package habemus.cli.simulate;

import static habemus.cli.simulate.PlayedScenario.leaders;
import static habemus.cli.simulate.PlayedScenario.play;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.lab.run.CompletedRun;
import habemus.simulate.LogSummary;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The scenarios of Raft: the logs at the end are those of the paper. */
class RaftScenariosTest {

    /** The terms of the entries of each node: {@code 112}. */
    private static List<String> terms(CompletedRun run) {
        return run.runResult().log().logs().stream()
                .map(LogSummary.NodeLog::view)
                .map(view -> LongStream.rangeClosed(1, view.log().lastIndex())
                        .mapToObj(index -> Long.toString(view.log().termAt(index)))
                        .collect(Collectors.joining()))
                .toList();
    }

    private static List<Long> commitIndexes(CompletedRun run) {
        return run.runResult().log().logs().stream()
                .map(nodeLog -> nodeLog.view().commitIndex())
                .toList();
    }

    @Test
    void figure_7_has_the_logs_of_the_paper_and_then_all_are_equal() throws IOException {
        var runs = play("raft-figure-7");
        assertThat(terms(runs.getFirst()))
                .containsExactly(
                        "1114455666", "111445566", "1114", "11144556666", "111445566677", "1114444", "11122233333");
        assertThat(leaders(runs.getLast())).endsWith("n1 in term 8");
        assertThat(terms(runs.getLast())).hasSize(7).containsOnly("11144556668");
        assertThat(commitIndexes(runs.getLast())).containsOnly(11L);
    }

    @Test
    void figure_8_commits_an_entry_of_an_earlier_term_only_with_one_of_its_own() throws IOException {
        var runs = play("raft-figure-8");
        assertThat(terms(runs.get(0))).containsExactly("124", "124", "12", "1", "13");
        assertThat(commitIndexes(runs.get(0)).stream().max(Long::compare)).contains(1L);
        assertThat(terms(runs.get(1))).containsOnly("135");
        assertThat(terms(runs.get(2))).containsOnly("1246");
        assertThat(leaders(runs.get(2))).endsWith("n1 in term 4", "n2 in term 6");
    }

    @Test
    void a_new_leader_cannot_change_members_and_a_removed_one_cannot_win() throws IOException {
        var runs = play("raft-membership-2015");
        var rejected = runs.getFirst().runResult().log().memberChanges();
        assertThat(rejected.rejected()).isOne();
        assertThat(leaders(runs.getFirst())).endsWith("n2 in term 2", "n1 in term 3");
        assertThat(runs.getLast().runResult().log().memberChanges().rejected()).isZero();
        assertThat(leaders(runs.getLast())).endsWith("n2 in term 2");
    }

    @Test
    void a_leader_that_removed_itself_campaigns_until_the_change_is_committed() throws IOException {
        var run = play("raft-leader-removes-itself").getFirst();
        assertThat(leaders(run)).containsExactly("n1 in term 1", "n1 in term 2", "n2 in term 3");
        assertThat(run.runResult().log().memberChanges().open()).isOne(); // it crashed before it could reply
    }

    @Test
    void a_node_that_returns_deposes_the_leader_only_without_pre_votes() throws IOException {
        var runs = play("raft-pre-vote");
        assertThat(leaders(runs.getFirst())).containsExactly("n1 in term 1");
        assertThat(leaders(runs.getLast())).containsExactly("n1 in term 1", "n3 in term 5");
    }

    @Test
    void a_node_that_waits_for_its_disk_votes_by_its_whole_log() throws IOException {
        var runs = play("raft-vote-during-append");
        assertThat(terms(runs.getFirst())).containsOnly("113");
        assertThat(leaders(runs.getFirst())).containsExactly("n1 in term 1", "n2 in term 3");
        assertThat(terms(runs.getLast())).containsOnly("12");
        assertThat(runs.getLast().runResult().log().proposals().rejected()).isOne();
    }

    @Test
    void an_answer_of_an_older_term_commits_nothing() throws IOException {
        var runs = play("raft-answer-of-older-term");
        assertThat(commitIndexes(runs.getFirst())).containsExactly(0L, 1L, 1L);
        assertThat(terms(runs.getLast())).containsOnly("12");
        assertThat(commitIndexes(runs.getLast())).containsOnly(2L);
    }

    @Test
    void no_run_violates_a_property() throws IOException {
        for (String name : List.of(
                "raft-figure-7",
                "raft-figure-8",
                "raft-membership-2015",
                "raft-leader-removes-itself",
                "raft-pre-vote",
                "raft-vote-during-append",
                "raft-answer-of-older-term")) {
            assertThat(play(name)).as(name).noneMatch(run -> run.runResult().hasFailed());
        }
    }
}
