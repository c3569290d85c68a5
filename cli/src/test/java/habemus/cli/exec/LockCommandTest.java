package habemus.cli.exec;

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

/** {@code habemus lock} in all its modes, with real child processes and one node of the production service. */
@Timeout(180)
@Tag("slow")
class LockCommandTest {

    @TempDir
    static Path folder;

    private static CliProcesses cliProcesses;
    private static String at;

    @BeforeAll
    static void start() throws IOException {
        cliProcesses = new CliProcesses(folder);
        var cluster = "127.0.0.1:" + CliProcesses.ports(1);
        var node = cliProcesses.start("serve --cluster " + cluster + " --node n1 --data " + folder.resolve("data"));
        at = node.awaitOutput("HTTP at (\\S+)").group(1);
        CliProcesses.await(
                () -> CliRunner.line("status --at " + at).out().contains("n1 is the leader"), "a leader of the log");
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

    /** A child that has printed {@code in}, and runs until the file exists. */
    private static CliProcesses.Running staying(String command, Path go) throws IOException {
        var running = under(command, "echo in; while ! test -e " + go + "; do sleep 0.1; done; echo out");
        running.awaitOutput("in\n");
        return running;
    }

    private static void leave(Path go, CliProcesses.Running... all) throws Exception {
        Files.createFile(go);
        for (var running : all) {
            assertThat(running.code()).as(running.stderr()).isZero();
            assertThat(running.stdout()).isEqualTo("in\nout\n");
        }
    }

    @Test
    void shared_holders_hold_a_lock_together_and_exclude_exclusive_holders() throws Exception {
        var go = folder.resolve("shared");
        var holder = staying("lock report --shared", go);
        var two = staying("lock report --shared", go);
        var alone = under("lock report --timeout 300ms", "echo never");
        assertThat(alone.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(alone.stderr()).contains("could not acquire the lock report within ");
        leave(go, holder, two);
        assertThat(under("lock report --timeout 30s", "echo in").code()).isZero();
    }

    @Test
    void the_token_is_not_passed_to_the_command() throws Exception {
        var words = List.of("lock", "secret", "--timeout", "30", "--", "sh", "-c", "echo \"token=$HABEMUS_TOKEN\"");
        var running = cliProcesses.start(words, Map.of("HABEMUS_AT", at, "HABEMUS_TOKEN", "hidden"));
        assertThat(running.code()).as(running.stderr()).isZero();
        assertThat(running.stdout()).isEqualTo("token=\n");
    }

    @Test
    void a_timeout_without_a_unit_is_in_seconds() throws Exception {
        var go = folder.resolve("seconds");
        var holder = staying("lock seconds", go);
        var late = under("lock seconds --timeout 1", "echo never");
        assertThat(late.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(late.stderr()).contains("could not acquire the lock seconds within 1 s");
        leave(go, holder);
    }

    @Test
    void several_locks_are_granted_all_or_none() throws Exception {
        var go = folder.resolve("several");
        var both = staying("lock 'from here' --and to", go);
        var waiter = under("lock to --timeout 300ms", "echo never");
        assertThat(waiter.code()).isEqualTo(ExitCode.VIOLATED);
        var more = under("lock other --and to --timeout 300ms", "echo never");
        assertThat(more.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(more.stderr()).contains("could not acquire the locks other and to within ");
        assertThat(under("lock other --timeout 30s", "echo in").code())
                .as("a client that did not get all locks holds none")
                .isZero();
        leave(go, both);
        var child = under("lock 'from here' --and to", "echo \"$HABEMUS_LOCKS\"; echo fence $HABEMUS_FENCE");
        assertThat(child.code()).isZero();
        assertThat(child.stdout()).matches("from here\nto\nfence [1-9]\\d*\n");
    }

    @Test
    void a_revoked_lock_loses_all_locks_of_the_command() throws Exception {
        var both = staying("lock left --and right", folder.resolve("never"));
        assertThat(CliRunner.line("release right --force --reason 'a test' --at " + at)
                        .code())
                .isZero();
        assertThat(both.code()).isEqualTo(ExitCode.LOCK_LOST);
        assertThat(both.stderr()).contains("the locks left and right were lost: ");
    }

    /** A command within the command of another one: it gets the environment of the outer command. */
    private static CliProcesses.Running nested(String owner, String command) throws IOException {
        var words = new ArrayList<>(ShellSyntax.split(command));
        words.addAll(List.of("--", "echo", "in"));
        return cliProcesses.start(words, Map.of("HABEMUS_AT", at, "HABEMUS_OWNER", owner));
    }

    private static String owner(CliProcesses.Running outer) {
        return outer.awaitOutput("owner (\\S+)\n").group(1);
    }

    @Test
    void a_deadlock_of_nested_commands_is_found() throws Exception {
        var script = "echo owner $HABEMUS_OWNER; while ! test -e " + folder.resolve("apart") + "; do sleep 0.1; done";
        var one = under("lock fork --client one", script);
        var two = under("lock knife --client two", script);
        var innerOfOne = nested(owner(one), "lock knife --client inner-of-one");
        CliProcesses.await(() -> CliRunner.line("locks --at " + at).out().contains("inner-of-one"), "a waiter");
        assertThat(CliRunner.line("deadlocks --at " + at).code()).isZero();
        var innerOfTwo = nested(owner(two), "lock fork --client inner-of-two");
        CliProcesses.await(() -> CliRunner.line("deadlocks --at " + at).code() == ExitCode.VIOLATED, "the deadlock");
        assertThat(CliRunner.line("deadlocks --at " + at).out())
                .contains("inner-of-one at ", " waits for lock knife, held by two at ")
                .contains("inner-of-two at ", " waits for lock fork, held by one at ");
        Files.createFile(folder.resolve("apart"));
        for (var running : List.of(one, two, innerOfOne, innerOfTwo)) {
            assertThat(running.code()).as(running.stderr()).isZero();
        }
    }

    @Test
    void a_semaphore_never_grants_more_permits_than_it_has() throws Exception {
        var go = folder.resolve("permits");
        var two = staying("lock pool --permits 2 --of 3", go);
        var holder = staying("lock pool --of 3", go);
        assertThat(CliRunner.line("locks --at " + at).out())
                .containsPattern("pool +3 .* +2 +\\d+ ")
                .containsPattern("pool +3 .* +1 +\\d+ ");
        var fourth = under("lock pool --of 3 --timeout 300ms", "echo never");
        assertThat(fourth.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(fourth.stderr()).contains("could not acquire 1 of 3 permits of pool within ");
        var other = under("lock pool --of 4", "echo never");
        assertThat(other.code()).isEqualTo(ExitCode.USAGE);
        assertThat(other.stderr()).contains("semaphore is in use with another size");
        leave(go, two, holder);
        var child = under("lock pool --permits 3 --of 3", "echo $HABEMUS_SEMAPHORE $HABEMUS_PERMITS $HABEMUS_FENCE");
        assertThat(child.code()).isZero();
        assertThat(child.stdout()).matches("pool 3 [1-9]\\d*\n");
    }

    @Test
    void the_candidate_with_the_higher_rank_leads_next() throws Exception {
        var go = folder.resolve("rank");
        var first = staying("elect boss --client first", go);
        var low = under("elect boss --client low --rank 1", "echo $HABEMUS_TERM");
        awaitCandidate("low");
        var high = under("elect boss --client high --rank 2", "echo $HABEMUS_TERM");
        awaitCandidate("high");
        leave(go, first);
        assertThat(low.code()).isZero();
        assertThat(high.code()).isZero();
        assertThat(term(high)).isLessThan(term(low));
    }

    private static void awaitCandidate(String name) {
        CliProcesses.await(
                () -> CliRunner.line("leaders --at " + at).out().contains(name + " at "),
                () -> name + " to be a candidate");
    }

    private static long term(CliProcesses.Running elect) {
        return Long.parseLong(elect.stdout().strip());
    }

    @Test
    void a_classic_algorithm_rejects_shared_locks() throws Exception {
        var cluster = "127.0.0.1:" + CliProcesses.ports(1);
        var node = cliProcesses.start("serve --cluster " + cluster + " --node n1 --algorithm central");
        var there = node.awaitOutput("HTTP at (\\S+)").group(1);
        var output = CliRunner.line("lock orders --shared --at " + there + " -- true");
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains("classic algorithms support only exclusive locks");
    }
}
