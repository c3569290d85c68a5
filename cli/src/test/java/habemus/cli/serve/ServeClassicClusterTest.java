package habemus.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import habemus.cli.CliProcesses;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import habemus.lab.command.ShellSyntax;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nodes of classic algorithms in processes: bugs, encryption, lost leadership. */
@Timeout(180)
@Tag("slow")
class ServeClassicClusterTest {

    @TempDir
    private Path folder;

    private CliProcesses cliProcesses;
    private String cluster = "";

    @BeforeEach
    void begin() {
        cliProcesses = new CliProcesses(folder);
    }

    @AfterEach
    void end() {
        cliProcesses.close();
    }

    private void cluster(int nodes) {
        int port = CliProcesses.ports(nodes);
        cluster = IntStream.range(port, port + nodes)
                .mapToObj(httpPort -> "127.0.0.1:" + httpPort)
                .collect(Collectors.joining(","));
    }

    private CliProcesses.Running serve(int node, String options) throws IOException {
        return cliProcesses.start("serve --cluster " + cluster + " --node n" + node + " " + options);
    }

    private static String at(CliProcesses.Running node) {
        return node.awaitOutput("HTTP at (\\S+)").group(1);
    }

    /** Starts a command whose child writes the pid of a grandchild to a file; returns when it is written. */
    private CliProcesses.Running under(String command, CliProcesses.Running node, Path file) throws IOException {
        var words = new ArrayList<>(ShellSyntax.split(command));
        words.addAll(List.of("--at", at(node), "--", "sh", "-c", "sleep 600 & echo $! > " + file + "; wait"));
        var running = cliProcesses.start(words, Map.of());
        CliProcesses.await(() -> CliProcesses.isWritten(file), () -> "the child to run, but " + running.stderr());
        return running;
    }

    /** A node that restarts without its state creates a second token. */
    @Test
    void a_protocol_bug_stops_the_node_and_prints_state_and_trace() throws Exception {
        cluster(2);
        var traces = folder.resolve("traces");
        var options = "--algorithm token-ring --startup-wait 30s --record " + traces;
        var first = serve(1, options);
        var second = serve(2, options);
        var holder = under("lock x", second, folder.resolve("child"));
        CliProcesses.kill("KILL", first.process().pid());
        serve(1, options);
        assertThat(second.code()).isEqualTo(ExitCode.BUG);
        assertThat(second.stderr())
                .contains("mutex x: a second token cannot happen in State[self=n2, ")
                .contains("its state was State[self=n2, ")
                .contains("with the trace in " + traces);
        assertThat(holder.code()).isEqualTo(ExitCode.LOCK_LOST);
        var replayed = CliRunner.line("validate " + traces + " --group x");
        assertThat(replayed.code()).isEqualTo(ExitCode.VIOLATED);
        assertThat(replayed.out())
                .contains("every step conforms to the algorithm")
                .containsPattern("ended +by a bug .*: a second token cannot happen in State")
                .containsPattern("note +n2#\\d+ stopped at Received\\[from=n1, message=Token");
    }

    @Test
    void a_node_with_an_untrusted_certificate_cannot_join() throws Exception {
        var password = CliProcesses.writeSecret(folder.resolve("password"), "password\n");
        var trusted = folder.resolve("trusted.p12").toString();
        for (String node : List.of("n1", "n2")) {
            var keys = makeKeys(node, node);
            var certificate = folder.resolve("certificate").toString();
            keytool("-exportcert", "-alias", "node", "-keystore", keys, "-file", certificate);
            keytool("-importcert", "-noprompt", "-alias", node, "-file", certificate, "-keystore", trusted);
        }
        var rest = ".p12 --truststore " + trusted + " --password-file " + password;
        makeKeys("stranger", "n3");
        requireStranger(
                "--keystore " + folder + "/n1" + rest,
                "--keystore " + folder + "/n2" + rest,
                "--keystore " + folder + "/stranger" + rest);
    }

    private String makeKeys(String name, String node) throws Exception {
        var file = folder.resolve(name + ".p12").toString();
        keytool("-genkeypair", "-alias", "node", "-keyalg", "EC", "-dname", "CN=" + node, "-keystore", file);
        return file;
    }

    private static void keytool(String... words) throws Exception {
        var all = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        all.addAll(List.of(words));
        all.addAll(List.of("-storetype", "PKCS12", "-storepass", "password"));
        assertThat(new ProcessBuilder(all).inheritIO().start().waitFor()).isZero();
    }

    /** The first two nodes see each other, and the third sees neither. */
    private void requireStranger(String one, String two, String stranger) throws IOException {
        cluster(3);
        var options = "--election term-majority --startup-wait 3s ";
        var first = serve(1, options + one);
        serve(2, options + two);
        var third = serve(3, options + stranger);
        CliProcesses.await(() -> states(first).equals("n1 up, n2 up, n3 down"), () -> "n2 in " + states(first));
        assertThat(states(third)).isEqualTo("n1 down, n2 down, n3 up");
        assertThat(states(first)).isEqualTo("n1 up, n2 up, n3 down");
    }

    private static String states(CliProcesses.Running node) {
        var nodes = CliRunner.line("status --json --at " + at(node)).json().getAsJsonArray("nodes");
        return nodes.asList().stream()
                .map(JsonElement::getAsJsonObject)
                .map(element -> element.get("name").getAsString() + " "
                        + element.get("state").getAsString())
                .collect(Collectors.joining(", "));
    }

    /** Without the second node the first one has no majority. */
    @Test
    void a_deposed_leader_stops_the_child_and_its_descendants() throws Exception {
        cluster(2);
        var file = folder.resolve("child");
        var options = "--startup-wait 30s --election 'term-majority --election-timeout 1500 --heartbeat 300'";
        var first = serve(1, options);
        var second = serve(2, options);
        var elect = under("elect boss --lease 60s", first, file);
        CliProcesses.kill("KILL", second.process().pid());
        assertThat(elect.code()).isEqualTo(ExitCode.LOCK_LOST);
        assertThat(elect.stderr()).contains("the leadership of boss was lost: it was revoked; the command was stopped");
        CliProcesses.await(() -> !CliProcesses.isAlive(file), "the grandchild to end");
    }

    @ParameterizedTest
    @ValueSource(strings = {"KILL", "STOP"})
    void an_unreachable_leader_stops_the_child_before_the_lease_expires(String signal) throws Exception {
        cluster(1);
        var file = folder.resolve("child");
        var node = serve(1, "--election bully");
        var elect = under("elect boss --lease 2s", node, file);
        CliProcesses.kill(signal, node.process().pid());
        assertThat(elect.code()).isEqualTo(ExitCode.LOCK_LOST);
        assertThat(elect.stderr())
                .contains("the leadership of boss was lost: no node is reachable, and the lease is about to");
        CliProcesses.await(() -> !CliProcesses.isAlive(file), "the grandchild to end");
    }
}
