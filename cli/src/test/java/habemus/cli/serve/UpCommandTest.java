package habemus.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.cli.CliProcesses;
import habemus.cli.CliRunner;
import habemus.harness.site.PortBlock;
import habemus.lab.command.ExitCode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cluster of real processes whose leader is killed. */
@Timeout(180)
@Tag("slow")
class UpCommandTest {

    private static final double SECONDS = 5; // two on an idle machine

    @TempDir
    Path folder;

    /** One cluster for all assertions, because its start takes long. */
    @Test
    void a_killed_leader_is_replaced_in_a_higher_term_and_restarted_and_all_nodes_stop_with_up(TestReporter reporter)
            throws Exception {
        try (var cliProcesses = new CliProcesses(folder)) {
            var up = cliProcesses.start("up -n 5 --election term-majority --restart --json --data " + folder
                    + " --port " + CliProcesses.ports(5));
            var old = killLeader(up);
            assertThat(replaced(up).getFirst().get("term").getAsLong())
                    .isGreaterThan(old.get("term").getAsLong());
            double seconds = replaced(up).getFirst().get("secondsAfterDown").getAsDouble();
            reporter.publishEntry("seconds to a new leader after kill -9", Double.toString(seconds));
            assertThat(seconds).as("to a new leader after kill -9").isLessThan(SECONDS);
            var node = old.get("leader").getAsString();
            CliProcesses.await(
                    () -> states(up, node).endsWith("down starting up"), () -> node + " again in " + up.stdout());
            var children = up.process().descendants().map(ProcessHandle::pid).toList();
            assertThat(children).hasSize(5);
            CliProcesses.kill("KILL", up.process().pid());
            CliProcesses.await(() -> children.stream().noneMatch(CliProcesses::isAlive), "the nodes to end");
        }
    }

    @Test
    void a_paused_node_is_unreachable_and_ctrl_c_stops_all_nodes() throws Exception {
        try (var cliProcesses = new CliProcesses(folder)) {
            var up = cliProcesses.startInForeground(
                    List.of("up", "-n", "2", "--names", "A,B", "--json", "--port", "" + CliProcesses.ports(2)),
                    Map.of());
            CliProcesses.await(
                    () -> states(up, "A").endsWith(" up") && states(up, "B").endsWith(" up"), up::stdout);
            CliProcesses.kill("STOP", pid(up, "B"));
            CliProcesses.await(
                    () -> states(up, "B").endsWith(" unreachable"), () -> "B to be unreachable in " + up.stdout());
            CliProcesses.kill("CONT", pid(up, "B"));
            CliProcesses.await(() -> states(up, "B").endsWith(" up"), () -> "B to be up in " + up.stdout());
            var children = up.process().descendants().map(ProcessHandle::pid).toList();
            assertThat(children).hasSize(2);
            up.interrupt();
            assertThat(up.code()).isEqualTo(ExitCode.OK);
            CliProcesses.await(() -> children.stream().noneMatch(CliProcesses::isAlive), "the nodes to end");
        }
    }

    /** One cluster for all assertions, because its start takes long. */
    @Test
    void a_node_joins_and_another_leaves_and_the_recording_is_valid() throws Exception {
        try (var cliProcesses = new CliProcesses(folder)) {
            var traces = folder.resolve("traces");
            var up = cliProcesses.startInForeground(
                    List.of(("up --algorithm token-ring --election bully --json --join 4@0s --leave 2@1s --port "
                                    + CliProcesses.ports(4) + " --record " + traces)
                            .split(" ")),
                    Map.of());
            CliProcesses.await(
                    () -> states(up, "n4").endsWith(" up") && states(up, "n2").endsWith(" left"),
                    () -> "n4 to join and n2 to leave in " + up.stdout() + up.stderr());
            CliProcesses.await(
                    () -> events(up, "leader")
                            .getLast()
                            .get("leader")
                            .getAsString()
                            .equals("n4"),
                    up::stdout);
            up.interrupt();
            assertThat(up.code()).isEqualTo(ExitCode.OK);
            var validate = cliProcesses.start("validate " + traces);
            assertThat(validate.code())
                    .as(validate.stdout() + validate.stderr())
                    .isEqualTo(ExitCode.OK);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    --algorithm maekawa --join 4@2s | --join: maekawa cannot change its members (they are fixed
                    --algorithm central --leave 1@2s | --leave: n1 cannot leave central with these options
                    --algorithm token-ring --leave 1@2s | --leave: n1 runs the membership service, and cannot leave
                    --algorithm central --join 3@2s | --join: n3 is or was a member (a number is used once)
                    --algorithm central --leave 4@2s | --leave: n4 is no member at that time
                    --algorithm central --join 4 | --join must be NODE@TIME, was '4'
                    --names A,B | has 2 names for 3 nodes
                    --algorithm central --join 4@2s --names A,B,C | has 3 names for 4 nodes
                    --join 4@2s | --join is for classic algorithms
                    """)
    void a_change_that_is_not_possible_is_refused_before_a_node_starts(String options, String error) {
        var output = CliRunner.line("up " + options);
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains(error, "hint: ");
    }

    @Test
    void two_clusters_get_different_ports() {
        try (var first = PortBlock.reserve(3);
                var second = PortBlock.reserve(3)) {
            assertThat(second.first()).isGreaterThanOrEqualTo(first.first() + 300);
            assertThat(PortBlock.tryReserve(first.first(), 3)).isEmpty();
        }
    }

    private static List<JsonObject> events(CliProcesses.Running up, String event) {
        return up.stdout()
                .lines()
                .filter(line -> line.endsWith("}"))
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .filter(line -> line.get("event").getAsString().equals(event))
                .toList();
    }

    /** On a busy machine another node may lead before the kill takes effect; then it tries again. */
    private static JsonObject killLeader(CliProcesses.Running up) throws Exception {
        while (true) {
            CliProcesses.await(() -> !events(up, "leader").isEmpty(), () -> "a leader in " + up.stdout() + up.stderr());
            int before = events(up, "leader").size();
            var leader = events(up, "leader").getLast();
            CliProcesses.kill("KILL", pid(up, leader.get("leader").getAsString()));
            CliProcesses.await(() -> events(up, "leader").size() > before, () -> "another leader in " + up.stdout());
            if (!replaced(up).isEmpty()) {
                return leader;
            }
        }
    }

    private static List<JsonObject> replaced(CliProcesses.Running up) {
        return events(up, "leader").stream()
                .filter(line -> line.has("secondsAfterDown"))
                .toList();
    }

    private static String states(CliProcesses.Running up, String node) {
        return events(up, "node").stream()
                .filter(line -> line.get("name").getAsString().equals(node))
                .map(line -> line.get("state").getAsString())
                .collect(Collectors.joining(" "));
    }

    /** The pid of the latest process. */
    private static long pid(CliProcesses.Running up, String node) {
        return events(up, "node").stream()
                .filter(line -> line.get("name").getAsString().equals(node))
                .toList()
                .getLast()
                .get("pid")
                .getAsLong();
    }
}
