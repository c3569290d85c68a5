package habemus.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import habemus.cli.CliRunner;
import habemus.lab.command.CommandException;
import habemus.lab.experiment.Fork;
import habemus.lab.experiment.Intervention;
import habemus.lab.experiment.ReplayCommandLine;
import habemus.lab.experiment.RunArguments;
import habemus.protocol.NodeId;
import habemus.protocol.NodeSet;
import habemus.world.TraceEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The options that an intervention adds or changes. */
class ForkTest {

    private static final NodeId N1 = new NodeId(1);
    private static final NodeId N2 = new NodeId(2);
    private static final List<NodeSet> GROUPS = List.of(NodeSet.of(N1), NodeSet.of(N2, new NodeId(3)));
    private static final String FIXED = "ricart-agrawala --latency fixed:10 --callers 1";

    /** The command line of the fork at the last event until this time. */
    private static String fork(String line, double millis, Intervention intervention) {
        var original = CliRunner.experiment(line).arguments();
        return ReplayCommandLine.of(Fork.of(original, cursor(line, millis), intervention)) + " ";
    }

    private static int cursor(String line, double millis) {
        var trace = trace(line);
        int index = -1;
        while (index + 1 < trace.size() && trace.get(index + 1).at() <= millis * 1_000) {
            index++;
        }
        return index;
    }

    private static List<TraceEvent> trace(String line) {
        var trace = new ArrayList<TraceEvent>();
        CliRunner.experiment(line).run(trace::add);
        return trace;
    }

    private static void assertRejected(String line, double millis, Intervention intervention, String message) {
        assertThatThrownBy(() -> fork(line, millis, intervention))
                .isInstanceOf(CommandException.class)
                .hasMessageContaining(message);
    }

    @Test
    void a_fault_comes_one_microsecond_after_the_event_at_the_cursor() {
        assertThat(fork(FIXED, 10, new Intervention.Crash(N2))).contains(" --crash 2@10.001 ");
        assertThat(fork(FIXED, 10, new Intervention.Pause(N2))).contains(" --pause 2@10.001 ");
        assertThat(fork(FIXED, 10, new Intervention.Partition(GROUPS))).contains(" --partition 1/2,3@10.001 ");
    }

    @Test
    void a_fault_after_the_starts_of_the_nodes_comes_at_time_zero() {
        var original = CliRunner.experiment("bully").arguments();
        for (int cursor = -1; cursor < 3; cursor++) {
            assertThat(ReplayCommandLine.of(Fork.of(original, cursor, new Intervention.Crash(N2))))
                    .endsWith("--crash 2@0");
        }
        assertThat(ReplayCommandLine.of(Fork.of(original, 3, new Intervention.Crash(N2))))
                .endsWith("--crash 2@0.001");
    }

    @Test
    void more_of_the_same_fault_is_appended() {
        assertThat(fork("bully --crash 3@5", 12, new Intervention.Restart(new NodeId(3), true)))
                .containsPattern(" --restart 3@[\\d.]+:amnesia ");
        assertThat(fork(FIXED + " --pause 3@5", 10, new Intervention.Pause(N2))).contains(" --pause 3@5,2@10.001 ");
        assertThat(fork(FIXED + " --partition 1,2/3@5..6", 10, new Intervention.Partition(GROUPS)))
                .contains(" --partition 1/2,3@10.001 ");
    }

    @Test
    void a_pause_and_a_partition_get_an_end() {
        assertThat(fork(FIXED + " --pause 1@5..6,2@8", 10, new Intervention.Resume(N2)))
                .contains(" --pause 1@5..6,2@8..10.001 ");
        assertThat(fork(FIXED + " --pause 2@2..4,2@8..90,1@1", 10, new Intervention.Resume(N2)))
                .contains("--pause 2@2..4,2@8..10.001,1@1 ");
        var two = FIXED + " --partition 1/2,3@5 --partition 1,2/3@6 --cut '2>1@7..30'";
        assertThat(fork(two, 10, new Intervention.Heal(GROUPS)))
                .contains("--partition 1/2,3@5..10.001 --partition 1,2/3@6 --cut '2>1@7..30' ");
        assertThat(fork(two, 10, new Intervention.Heal(List.of())))
                .contains("--partition 1/2,3@5..10.001 --partition 1,2/3@6..10.001 --cut '2>1@7..10.001' ");
    }

    @Test
    void nodes_keep_their_names() {
        var named = FIXED + " --names Ana,Bia,Caio --pause Bia@5";
        assertThat(fork(named, 10, new Intervention.Crash(new NodeId(3)))).contains(" --crash Caio@10.001 ");
        assertThat(fork(named, 10, new Intervention.Resume(N2))).contains(" --pause Bia@5..10.001 ");
        assertRejected(named, 10, new Intervention.Pause(N2), "Bia is paused at this time");
    }

    @Test
    void a_message_in_flight_is_lost_duplicated_or_delayed() {
        assertThat(fork(FIXED, 0, new Intervention.Lose(2))).contains(" --lose-message 2 ");
        assertThat(fork(FIXED, 0, new Intervention.Duplicate(2))).contains(" --duplicate-message 2 ");
        assertThat(fork(FIXED, 0, new Intervention.Delay(2, Duration.ofMillis(3))))
                .contains(" --delay-message 2=3 ");
        assertThat(fork(FIXED + " --delay-message 1=4,2=3", 5, new Intervention.Delay(2, Duration.ofMillis(9))))
                .contains("--delay-message 1=4,2=12 ");
        assertThat(fork(FIXED + " --duplicate-message 1,2", 5, new Intervention.Lose(2)))
                .contains("--lose-message 2 --duplicate-message 1 ");
        assertRejected(FIXED, 10, new Intervention.Lose(2), "message 2 has arrived at this time");
        assertRejected(
                FIXED + " --lose-message 2", 5, new Intervention.Delay(2, Duration.ofMillis(1)), "message 2 has");
    }

    @Test
    void a_node_makes_one_more_request() {
        var entries = "ricart-agrawala --entries 3 --seed 4";
        assertThat(fork(entries, 12, new Intervention.Acquire(N2))).containsPattern(" --also-request 2@[\\d.]+ ");
        var more = CliRunner.experiment(entries + " --also-request 2@20,2@30").run();
        assertThat(more.entries()).isEqualTo(3 * 3 + 2);
        assertThat(fork("bully --initiators 1", 0, new Intervention.Campaign(N2)))
                .contains(" --also-request 2@0.001 ");
        assertThat(CliRunner.experiment("bully --initiators 1 --also-request 2@9")
                        .world()
                        .workload()
                        .furtherRequests())
                .hasSize(1);
        assertRejected("bully", 5, new Intervention.Acquire(N2), "bully is not for mutual exclusion");
        assertRejected("raft", 5, new Intervention.Acquire(N2), "raft is not for mutual exclusion");
        assertThat(CliRunner.line("run raft --also-request 2@9").err()).contains("raft has one client");
    }

    @Test
    void what_is_not_possible_is_rejected() {
        assertRejected("bully --crash 2@1", 5, new Intervention.Crash(N2), "n2 is down at this time");
        assertRejected("bully", 5, new Intervention.Restart(N2, false), "n2 is not down at this time");
        assertRejected("bully", 5, new Intervention.Resume(N2), "n2 is not paused at this time");
        assertRejected("bully", 5, new Intervention.Heal(List.of()), "there is no partition at this time");
        assertRejected("bully", 5, new Intervention.Partition(List.of()), "a partition needs two groups");
        assertRejected("bully", 5, new Intervention.Crash(new NodeId(9)), "n9, which does not exist");
        assertRejected("bully", 5, new Intervention.NextMoves("1request"), "a move needs a run");
        assertRejected(FIXED + " --until 10", 10, new Intervention.Crash(N2), "the run ends here");
        assertRejected("fenced", 9, new Intervention.Crash(N1), "n1 never crashes");
    }

    @Test
    void the_cursor_is_an_event_of_the_run() {
        RunArguments original = CliRunner.experiment("bully").arguments();
        assertThatThrownBy(() -> Fork.of(original, 100_000, new Intervention.Crash(N2)))
                .isInstanceOf(CommandException.class)
                .hasMessage("cursor must be an event of the run, was 100000");
        assertThatThrownBy(() -> Fork.of(original, -2, new Intervention.Crash(N2)))
                .isInstanceOf(CommandException.class);
    }

    @Test
    void a_run_by_moves_gets_another_move_after_the_cursor() {
        var moves = "ricart-agrawala -n 3 --moves 1request.2from1.3from1.1from3";
        assertThat(fork(moves, 0.002, new Intervention.Crash(new NodeId(3))))
                .contains("--moves 1request.2from1.3crash ");
        assertThat(fork(moves, 0.002, new Intervention.Lose(2))).contains("--moves 1request.2from1.3lost1 ");
        assertThat(fork(moves, 0.003, new Intervention.Duplicate(3)))
                .contains("--moves 1request.2from1.3from1.1twice2 ");
        assertThat(fork(moves, 0.001, new Intervention.Acquire(N2))).contains("--moves 1request.2request ");
        assertThat(fork(moves, 0.001, new Intervention.NextMoves("3from1"))).contains("--moves 1request.3from1 ");
        assertThat(fork(moves, 0.001, new Intervention.Partition(GROUPS))).contains("--moves 1request.2partition-2_3 ");
        var cut = moves.replace("1request", "1request.2partition-2_3");
        assertThat(fork(cut.replace(".2from1.3from1.1from3", ""), 1, new Intervention.Heal(List.of())))
                .contains(".2heal ");
        assertRejected(moves, 0.002, new Intervention.Lose(1), "message 1 is not in flight at this time");
        assertRejected(moves, 0.002, new Intervention.Delay(2, Duration.ofMillis(1)), "has no times");
        assertRejected(moves, 0.002, new Intervention.NextMoves("1from2-2"), "move 3 is not possible: 1from2-2");
        assertRejected(moves, 0.002, new Intervention.NextMoves("?"), "is not a move");
    }

    @Test
    void a_delayed_message_of_a_run_by_moves_arrives_after_more_moves() {
        var moves = "ricart-agrawala -n 3 --moves 1request.2from1.3from1.1from3.1from2.1release";
        assertThat(fork(moves, 0.001, new Intervention.DelayByMoves(1, 1)))
                .contains("--moves 1request.3from1.2from1.1from3.1from2.1release ");
        assertThat(fork(moves, 0.001, new Intervention.DelayByMoves(1, 2)))
                .contains("--moves 1request.3from1.1from3.2from1.1from2.1release ");
        assertThat(fork(moves, 0.001, new Intervention.DelayByMoves(1, 99)))
                .contains("--moves 1request.3from1.1from3.2from1.1from2.1release ");
        assertRejected(moves, 0.002, new Intervention.DelayByMoves(1, 1), "message 1 is not in flight at this time");
        assertRejected(moves, 0.001, new Intervention.DelayByMoves(1, 0), "at least one move, was 0");
        assertRejected(
                "ricart-agrawala -n 3 --moves 1request.3from1.1from3",
                0.001,
                new Intervention.DelayByMoves(1, 1),
                "message 1 does not arrive in this run");
        assertRejected(FIXED, 5, new Intervention.DelayByMoves(1, 1), "has times, and no moves");
    }

    @Test
    void in_a_run_by_moves_later_messages_of_its_link_wait_for_a_delayed_one() {
        var moves = "lamport -n 2 --moves 1request.2request.1from2.2from1.2from1";
        assertThat(fork(moves + " --network bag", 0.003, new Intervention.DelayByMoves(1, 1)))
                .contains("--moves 1request.2request.1from2.2from1-2.2from1 ");
        assertRejected(moves, 0.003, new Intervention.DelayByMoves(1, 1), "message 1 cannot arrive later in this run");
    }
}
