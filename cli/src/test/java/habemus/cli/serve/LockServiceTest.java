package habemus.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliProcesses;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import habemus.lab.command.ShellSyntax;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One node of the production service in a process, and the commands that use it. */
@Timeout(180)
@Tag("slow")
class LockServiceTest {

    @TempDir
    static Path folder;

    private static CliProcesses cliProcesses;
    private static CliProcesses.Running node;
    private static String at;

    @BeforeAll
    static void start() throws IOException {
        cliProcesses = new CliProcesses(folder);
        node = serve("data");
        at = node.awaitOutput("HTTP at (\\S+)").group(1);
        CliProcesses.await(() -> query("status").out().contains("n1 is the leader"), "a leader");
    }

    private static CliProcesses.Running serve(String data) throws IOException {
        int port = CliProcesses.ports(1);
        return cliProcesses.start("serve --cluster 127.0.0.1:" + port + " --node n1 --data " + folder.resolve(data));
    }

    @AfterAll
    static void end() {
        cliProcesses.close();
    }

    private static CliProcesses.Running under(String command, String script) throws IOException {
        var words = new ArrayList<>(ShellSyntax.split(command));
        words.addAll(List.of("--", "sh", "-c", script));
        return cliProcesses.start(words, Map.of("HABEMUS_AT", at));
    }

    /** Returns when the child process runs. */
    private static CliProcesses.Running holding(String command, String name) throws IOException {
        var file = folder.resolve(name);
        var running = under(command, "sleep 600 & echo $! > " + file + "; wait");
        CliProcesses.await(() -> CliProcesses.isWritten(file), () -> "the child to run, but " + running.stderr());
        return running;
    }

    private static CliRunner.CommandOutput query(String line) {
        return CliRunner.line(line + " --at " + at);
    }

    @Test
    void the_status_of_a_cluster_without_a_leader_is_a_failure() throws Exception {
        int port = CliProcesses.ports(2);
        var alone = cliProcesses.start("serve --cluster 127.0.0.1:" + port + ",127.0.0.1:" + (port + 1)
                + " --node n1 --bootstrap --data " + folder.resolve("alone"));
        var there = " --at " + alone.awaitOutput("HTTP at (\\S+)").group(1);
        var status = CliRunner.line("status" + there);
        assertThat(status.out()).contains("NO LEADER");
        assertThat(status.code()).isEqualTo(ExitCode.FAILURE);
        CliProcesses.await(
                () -> CliRunner.line("status" + there)
                                .out()
                                .contains("MAY BE OLD: the node was last certainly current at")
                        && CliRunner.line("locks" + there).out().contains("MAY BE OLD")
                        && CliRunner.line("locks --json" + there).out().contains("\"staleSince\":\"2"),
                "a note that the answers may be old");
        assertThat(query("status").code()).isZero();
    }

    @Test
    void a_single_node_warns_that_it_is_not_fault_tolerant() {
        assertThat(node.stderr()).contains("WARN cluster not fault tolerant node=n1 members=1");
        assertThat(query("status").out()).contains("; NOT FAULT TOLERANT; ");
    }

    @Test
    void the_child_gets_its_fence_and_passes_its_exit_code_and_history_is_kept() throws Exception {
        var lock = under("lock orders --client nightly", "echo $HABEMUS_LOCK $HABEMUS_FENCE; exit 7");
        assertThat(lock.code()).isEqualTo(7);
        assertThat(lock.stdout()).matches("orders [1-9]\\d*\n");
        assertThat(query("locks orders").out()).containsPattern("nightly +127.0.0.1 +\\d+ .* released\n");
    }

    @Test
    void a_timeout_without_the_lock_is_reported() throws Exception {
        var holder = holding("lock taken --client first", "taken");
        var second = under("lock taken --timeout 300ms", "echo never");
        assertThat(second.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(second.stdout()).isEmpty();
        assertThat(query("locks").out()).containsPattern("taken +first +127.0.0.1 +\\d+ ");
        assertThat(query("sessions").out()).containsPattern("first +127.0.0.1 +10000 ms +lock taken +-");
        CliProcesses.kill("TERM", holder.process().pid());
        assertThat(holder.code()).isNotZero();
        CliProcesses.await(() -> !query("locks").out().contains("taken"), "the release of the lock");
    }

    @Test
    void a_revoked_lock_stops_the_child_and_its_descendants() throws Exception {
        var holder = holding("lock forced", "forced");
        var output = query("release forced --force --operator ops --reason 'a test'");
        assertThat(output.out()).containsPattern("^release lock forced .*: ");
        assertThat(holder.code()).isEqualTo(ExitCode.LOCK_LOST);
        assertThat(holder.stderr()).contains("the lock forced was lost: ");
        CliProcesses.await(() -> !CliProcesses.isAlive(folder.resolve("forced")), "the grandchild to end");
        assertThat(query("audit").out()).containsPattern("ops +127.0.0.1 +release lock forced .* +a test\n");
    }

    @Test
    void an_operator_transfers_the_leadership() throws Exception {
        var first = holding("elect boss --client first", "boss-1");
        var second = under("elect boss --client second", "echo $HABEMUS_TERM");
        CliProcesses.await(() -> query("leaders").out().contains("second at "), "a candidate");
        assertThat(query("transfer boss --to absent --reason 'a test'").out()).contains("no candidate named absent");
        assertThat(query("transfer boss --to second --reason 'a test'").out()).contains("taken from first");
        assertThat(first.code()).isEqualTo(ExitCode.LOCK_LOST);
        assertThat(second.code()).isZero();
        assertThat(second.stdout()).matches("[1-9]\\d*\n");
    }

    @Test
    void members_and_deadlocks_are_listed() {
        assertThat(query("members").out()).containsPattern("n1 +127.0.0.1:\\d+\n");
        assertThat(query("members remove n1").code()).isEqualTo(ExitCode.USAGE);
        assertThat(query("deadlocks").out()).isEqualTo("no deadlocks\n");
        assertThat(query("deadlocks --json").json().keySet()).containsExactly("deadlocks");
    }

    @Test
    void watch_prints_a_line_for_every_change() throws Exception {
        var watch = cliProcesses.start("watch --at " + at);
        watch.awaitOutput("n1 is the leader\n");
        assertThat(under("lock seen --client alice", "exit 0").code()).isZero();
        watch.awaitOutput("lock seen at n1: held by alice, fence \\d+\n");
        watch.awaitOutput("lock seen at n1: not held\n");
    }

    @Test
    void a_restored_cluster_continues_with_larger_fences() throws Exception {
        var holder = holding("lock kept --client holder --lease 60s", "kept");
        var backup = folder.resolve("backup");
        var saved = query("backup " + backup + " --json").json();
        assertThat(Files.getPosixFilePermissions(backup)).hasSize(2);
        assertThat(query("backup " + backup).err()).contains("exists already");
        int port = CliProcesses.ports(1);
        var data = folder.resolve("restored");
        var restore = "restore " + backup + " --data " + data + " --cluster n1=127.0.0.1:" + port;
        assertThat(CliRunner.line(restore).code()).isZero();
        assertThat(CliRunner.line(restore).err()).contains("hint: choose an empty folder");
        var again = cliProcesses.start("serve --cluster 127.0.0.1:" + port + " --node n1 --data " + data);
        var there = again.awaitOutput("HTTP at (\\S+)").group(1);
        CliProcesses.await(
                () -> CliRunner.line("locks --at " + there).out().contains("holder"),
                () -> "the lock in " + again.stderr());
        var other = under("lock fresh --at " + there, "echo $HABEMUS_FENCE");
        assertThat(other.code()).isZero();
        assertThat(Long.parseLong(other.stdout().strip()))
                .isGreaterThan(saved.get("index").getAsLong() + 999_999_999);
        CliProcesses.kill("KILL", holder.process().pid());
    }

    @Test
    void a_corrupt_file_is_named_and_left_unchanged() throws Exception {
        var data = Files.createDirectories(folder.resolve("damaged"));
        var file = Files.writeString(data.resolve("term"), "not what was written");
        var refused = serve("damaged");
        assertThat(refused.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.stderr()).contains(file + " is damaged").contains("restore the file from a copy");
        assertThat(file).hasContent("not what was written");
    }
}
