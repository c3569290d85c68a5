package habemus.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code run} and {@code check} of a replicated log. */
class RaftCommandsTest {

    private static final String MIXED = "run raft -n 5 --seed 4 --crash 1@450 --restart 1@700 --lose-tail 1@460"
            + " --proposals 30 --reads 20 --snapshots 15 --member-changes 10 --transfers 5";

    @TempDir
    Path folder;

    @Test
    void a_run_counts_outcomes_and_shows_the_logs() {
        var cli = CliRunner.line("run raft --proposals 2 --latency fixed:1");
        assertThat(cli.code()).isEqualTo(ExitCode.OK);
        assertThat(cli.out())
                .contains("leaders                 n1 in term 1 from")
                .contains("proposals               4 committed")
                .contains("commit index            n1 5, n2 5, n3 5")
                .contains("n1 term 1 leader  │ 1:- │ 1:1.2 │")
                .contains("heartbeats that change nothing are not drawn");
    }

    @Test
    void the_replay_command_contains_all_options() {
        var cli = CliRunner.line(MIXED + " --no-diagram");
        assertThat(cli.out()).contains("replay with  ./habemus " + MIXED);
    }

    @Test
    void a_node_with_a_fast_clock_deposes_the_leader_unless_it_runs_a_pre_vote() {
        var line = "run raft --no-diagram --clock-rate 3@0..900x0.2";
        var deposed = CliRunner.line(line + " --pre-vote false").out();
        assertThat(deposed).containsPattern("leaders +n1 in term 1 from .*, n3 in term 3 from");
        assertThat(deposed).containsPattern("replay with .* --clock-rate 3@0..900x0.2");
        assertThat(CliRunner.line(line).out()).containsPattern("leaders +n1 in term 1 from [0-9.]+ ms\n");
    }

    @Test
    void json_has_the_calls_and_the_logs() {
        var json =
                JsonParser.parseString(CliRunner.line(MIXED + " --json").out()).getAsJsonObject();
        var log = json.getAsJsonObject("log");
        assertThat(log.getAsJsonObject("proposals").keySet())
                .containsExactly("made", "committed", "rejected", "indeterminate", "open");
        assertThat(log.getAsJsonArray("nodes")).hasSize(5);
        assertThat(log.getAsJsonArray("nodes").get(0).getAsJsonObject().keySet())
                .contains("commitIndex", "snapshotIndex", "voters", "entries");
    }

    @Test
    void other_algorithms_have_no_log() {
        var json =
                JsonParser.parseString(CliRunner.line("run bully --json").out()).getAsJsonObject();
        assertThat(json.has("log")).isFalse();
    }

    @Test
    void a_picture_shows_the_logs() throws IOException {
        var file = folder.resolve("logs.svg");
        CliRunner.line(MIXED + " --no-diagram --log-svg " + file);
        assertThat(Files.readString(file)).contains("logs at the end").contains("class=\"commit\"");
    }

    @Test
    void moves_play_a_run_of_a_log() {
        var cli = CliRunner.line(
                "run raft -n 2 --moves 1timeout-ELECTION_TIMEOUT.2from1.1from2.2from1.1from2.2from1.1from2.1propose");
        assertThat(cli.code()).isEqualTo(ExitCode.OK);
        assertThat(cli.out())
                .contains("n1 term 1 leader  │ 1:- ┃ 1:1.2 │")
                .contains("proposals               0 committed, 1 open");
    }

    @Test
    void check_finishes_with_its_defaults() {
        var cli = CliRunner.line("check raft");
        assertThat(cli.code()).isEqualTo(ExitCode.OK);
        assertThat(cli.out())
                .contains("raft: 3 nodes, fifo network, asynchronous, at most one timeout")
                .contains("progress               not guaranteed (here: yes)");
    }

    @Test
    void check_counts_calls_and_lost_tails() {
        var cli = CliRunner.line("check raft -n 2 --proposals 0 --member-changes 1 --tail-losses 1 --json");
        assertThat(cli.err()).isEmpty();
        var json = JsonParser.parseString(cli.out()).getAsJsonObject();
        assertThat(json.get("complete").getAsBoolean()).isTrue();
        assertThat(json.getAsJsonObject("properties")
                        .get("configuration-safety")
                        .getAsString())
                .isEqualTo("holds");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            run raft --entries 3                 | --entries counts the requests of each node, and raft has one client
            run raft --reads 60 --snapshots 60 | --reads, --snapshots, --member-changes and --transfers add up to 120 %
            run raft --reads 101                 | --reads 101 is out of range
            run raft --lose-tail 1@3             | --lose-tail 1@3 takes entries of n1, which is not down at that time
            run raft --crash 1@1 --lose-tail 1@3:0 | --lose-tail 1@3:0 loses no entry
            run raft --clock-rate 1@3x0          | --clock-rate 1@3x0 has the factor 0
            run raft --clock-rate 1@3            | --clock-rate 1@3
            run bully --lose-tail 1@3            | --lose-tail is for replicated logs, and bully is none
            run bully --proposals 3              | --proposals is for replicated logs, and bully is none
            run bully --log-svg x.svg            | --log-svg draws replicated logs, and this run has none
            check bully --proposals 1            | --proposals is for replicated logs, and bully has none
            check bully --tail-losses 1          | --tail-losses is for replicated logs, and bully has none
            run raft --initiators 1              | --initiators is for elections, and raft is a replicated log
            """)
    void a_wrong_option_is_rejected_with_a_hint(String line, String message) {
        var cli = CliRunner.line(line);
        assertThat(cli.code()).isEqualTo(ExitCode.USAGE);
        assertThat(cli.err()).startsWith("habemus: " + message).contains("\nhint: ");
    }
}
