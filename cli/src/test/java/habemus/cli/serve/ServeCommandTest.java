package habemus.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One node of classic algorithms in a process, and the commands that use it. */
@Timeout(180)
@Tag("slow")
class ServeCommandTest {

    @TempDir
    static Path folder;

    private static CliProcesses cliProcesses;
    private static CliProcesses.Running node;
    private static String at;

    @BeforeAll
    static void start() throws IOException {
        cliProcesses = new CliProcesses(folder);
        node = serve("--algorithm 'central --lease 60000' --election bully --data " + folder.resolve("data"));
        at = node.awaitOutput("HTTP at (\\S+)").group(1);
    }

    private static CliProcesses.Running serve(String options) throws IOException {
        int port = CliProcesses.ports(1);
        return cliProcesses.start("serve --cluster 127.0.0.1:" + port + " --node n1 --startup-wait 1s " + options);
    }

    @AfterAll
    static void end() {
        cliProcesses.close();
    }

    private static CliProcesses.Running under(String command, String script) throws IOException {
        return cliProcesses.start(guarded(command, script), Map.of("HABEMUS_AT", at));
    }

    private static CliProcesses.Running inForeground(String command, String script) throws IOException {
        return cliProcesses.startInForeground(guarded(command, script), Map.of("HABEMUS_AT", at));
    }

    private static List<String> guarded(String command, String script) {
        var words = new ArrayList<>(ShellSyntax.split(command));
        words.addAll(List.of("--", "sh", "-c", script));
        return words;
    }

    private static CliRunner.CommandOutput query(String line) {
        return CliRunner.line(line + " --at " + at);
    }

    @Test
    void the_child_gets_lock_and_fence_and_passes_its_exit_code() throws Exception {
        var lock = under("lock orders", "echo $HABEMUS_LOCK $HABEMUS_FENCE; exit 7");
        assertThat(lock.code()).isEqualTo(7);
        assertThat(lock.stdout()).isEqualTo("orders 1\n");
        var elect = under("elect scheduler", "echo $HABEMUS_ELECTION $HABEMUS_TERM");
        assertThat(elect.code()).isZero();
        assertThat(elect.stdout()).matches("scheduler [1-9]\\d*\n");
    }

    @Test
    void a_timeout_without_the_lock_is_reported_and_locks_shows_the_holder() throws Exception {
        var file = folder.resolve("held");
        var holder = under("lock taken --client first", "echo 1 > " + file + "; sleep 600");
        CliProcesses.await(() -> CliProcesses.isWritten(file), "the first to hold it");
        var second = under("lock taken --timeout 300ms", "echo never");
        assertThat(second.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(second.stdout()).isEmpty();
        assertThat(second.stderr())
                .contains("could not acquire the lock taken within 300 ms (held by 'first' since ")
                .contains("hint: habemus locks lists the holders");
        assertThat(query("locks").out()).containsPattern("taken +first +n1 +1 ");
        assertThat(query("locks --json").json().keySet()).containsExactly("locks", "unreachable");
        CliProcesses.kill("TERM", holder.process().pid());
        assertThat(holder.code()).isNotZero();
        assertThat(query("locks").out()).containsPattern("taken +- ");
    }

    /** The coordinator's own lease expires before the ticket's: the child and its descendants are stopped. */
    @Test
    void a_lost_lock_stops_the_child_and_its_descendants() throws Exception {
        var file = folder.resolve("grandchild");
        var lost = serve("--algorithm 'central --lease 1500' --election bully");
        var there = lost.awaitOutput("HTTP at (\\S+)").group(1);
        var words =
                List.of("lock", "brief", "--at", there, "--", "sh", "-c", "sleep 600 & echo $! > " + file + "; wait");
        var lock = cliProcesses.start(words, Map.of());
        assertThat(lock.code()).isEqualTo(ExitCode.LOCK_LOST);
        assertThat(lock.stderr()).contains("the lock brief was lost: it was revoked; the command was stopped");
        CliProcesses.await(() -> !CliProcesses.isAlive(file), "the grandchild to end");
    }

    @Test
    void an_unreachable_node_stops_the_child_before_the_lease_expires() throws Exception {
        var file = folder.resolve("orphan");
        var doomed = serve("--algorithm central --election bully");
        var there = doomed.awaitOutput("HTTP at (\\S+)").group(1);
        var words = List.of(
                "lock", "gone", "--lease", "2s", "--at", there, "--", "sh", "-c", "echo $$ > " + file + "; sleep 600");
        var lock = cliProcesses.start(words, Map.of());
        CliProcesses.await(() -> CliProcesses.isWritten(file), "the child to run");
        CliProcesses.kill("KILL", doomed.process().pid());
        assertThat(lock.code()).isEqualTo(ExitCode.LOCK_LOST);
        assertThat(lock.stderr()).contains("no node is reachable, and the lease is about to expire");
        assertThat(CliProcesses.isAlive(file)).isFalse();
    }

    @Test
    void a_child_does_not_outlive_its_killed_command() throws Exception {
        var file = folder.resolve("killed");
        var lock = under("lock abandoned --lease 2s", "echo $$ > " + file + "; sleep 600");
        CliProcesses.await(() -> CliProcesses.isWritten(file), "the child to run");
        CliProcesses.kill("KILL", lock.process().pid());
        CliProcesses.await(() -> !CliProcesses.isAlive(file), "the child to end");
        assertThat(under("lock abandoned", "exit 0").code()).isZero();
    }

    @Test
    void ctrl_c_stops_the_child_and_releases_the_lock() throws Exception {
        var file = folder.resolve("interrupted");
        var lock = inForeground("lock interrupted", "sleep 600 & echo $! > " + file + "; wait");
        CliProcesses.await(() -> CliProcesses.isWritten(file), "the child to run");
        lock.interrupt();
        assertThat(lock.code()).isNotZero();
        CliProcesses.await(() -> !CliProcesses.isAlive(file), "the grandchild to end");
        assertThat(query("locks").out()).containsPattern("interrupted +- ");
    }

    @Test
    void ctrl_c_cancels_a_waiting_request() throws Exception {
        var file = folder.resolve("first");
        under("lock queue --client first", "echo 1 > " + file + "; sleep 600");
        CliProcesses.await(() -> CliProcesses.isWritten(file), "the first to hold it");
        var second = inForeground("lock queue --client second", "echo never");
        CliProcesses.await(() -> query("locks").out().contains("second at n1"), "the second to wait");
        second.interrupt();
        assertThat(second.code()).isEqualTo(ExitCode.INTERRUPTED);
        assertThat(query("locks").out()).doesNotContain("second at n1");
        assertThat(second.stdout() + second.stderr()).isEmpty();
    }

    @Test
    void status_and_leaders_are_listed() {
        CliProcesses.await(() -> query("status").out().contains("n1    up     n1"), "n1 to lead");
        assertThat(query("status").out()).contains("locks by central --lease 60000, elections by bully");
        assertThat(query("leaders").out()).containsPattern("leader +n1 +[1-9]\\d* +n1 ");
        assertThat(query("status --json").json().get("node").getAsString()).isEqualTo("n1");
    }

    @Test
    void watch_prints_a_line_for_every_change() throws Exception {
        var watch = cliProcesses.start("watch --at " + at);
        watch.awaitOutput("n1 is up\n");
        assertThat(under("lock seen --client alice", "exit 0").code()).isZero();
        watch.awaitOutput("lock seen at n1: held by alice, fence 1\n");
        watch.awaitOutput("lock seen at n1: not held\n");
        CliProcesses.kill("TERM", watch.process().pid());
        assertThat(watch.code()).isEqualTo(143);
    }

    @ParameterizedTest
    @ValueSource(strings = {"status", "locks", "leaders", "watch", "lock x -- true", "elect x -- true"})
    void an_unreachable_node_is_reported_with_a_hint(String line) {
        var words = new ArrayList<>(List.of(line.split(" ", -1)));
        words.addAll(1, List.of("--at", "127.0.0.1:1"));
        var output = CliRunner.run(words);
        assertThat(output.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(output.err())
                .startsWith("habemus: no node reachable at 127.0.0.1:1\nhint: start nodes with habemus up");
    }

    @Test
    void a_corrupt_file_is_named_and_left_unchanged() throws Exception {
        var data = Files.createDirectories(folder.resolve("damaged"));
        var file = Files.writeString(data.resolve("incarnation"), "not what was written", UTF_8);
        var refused = serve("--algorithm central --data " + data);
        assertThat(refused.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(refused.stderr()).contains(file + " is damaged").contains("restore the file from a copy");
        assertThat(file).hasContent("not what was written");
    }

    @Test
    void a_node_stops_cleanly_on_term() throws Exception {
        var other = serve("--algorithm central --election bully --record " + folder.resolve("traces"));
        other.awaitOutput(" is up at ");
        CliProcesses.kill("TERM", other.process().pid());
        assertThat(other.code()).isZero();
        assertThat(folder.resolve("traces")).isNotEmptyDirectory();
    }
}
