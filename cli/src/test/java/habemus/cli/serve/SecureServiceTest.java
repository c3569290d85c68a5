package habemus.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliProcesses;
import habemus.cli.CliRunner;
import habemus.cli.terminal.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node of the production service with TLS and a file that says who may do what, and the commands against it. */
@Timeout(180)
class SecureServiceTest {

    private static final String TOKEN = "c0ffee-long-and-random";

    @TempDir
    static Path folder;

    private static CliProcesses cliProcesses;
    private static String at;
    private static String trusted;

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(folder.resolve("password"), "password\n");
        makeKeys("node", "-ext", "SAN=ip:127.0.0.1");
        makeKeys("ops");
        makeKeys("stranger", "-ext", "SAN=ip:127.0.0.1");
        Files.writeString(folder.resolve("token"), TOKEN + "\n");
        Files.writeString(folder.resolve("wrong-token"), "something else\n");
        var hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(UTF_8)));
        Files.writeString(
                folder.resolve("access"),
                "sha256:" + hash + " billing use,inspect:orders-*\ncertificate ops use,inspect,administer:*\n");
        cliProcesses = new CliProcesses(folder);
        var cluster = "127.0.0.1:" + CliProcesses.ports(1);
        var node = cliProcesses.start("serve --cluster " + cluster + " --me n1 --data " + folder.resolve("data")
                + " --access " + folder.resolve("access") + keys("node") + trusting("all"));
        at = " --at " + node.awaitOutput("HTTP at (\\S+)").group(1);
        trusted = trusting("all");
        var ask = "status" + at + trusted + keys("ops");
        CliProcesses.await(
                () -> CliRunner.line(ask).out().contains("n1 leads the log"),
                () -> CliRunner.line(ask) + node.stderr());
    }

    @AfterAll
    static void end() {
        cliProcesses.close();
    }

    /** With a store of those who trust it, and of those who trust all but the stranger. */
    private static void makeKeys(String name, String... more) throws Exception {
        var file = folder.resolve(name + ".p12").toString();
        var certificate = folder.resolve(name + ".cert").toString();
        var words = new ArrayList<>(
                List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-dname", "CN=" + name, "-keystore", file));
        words.addAll(List.of(more));
        keytool(words);
        keytool(List.of("-exportcert", "-alias", name, "-keystore", file, "-file", certificate));
        var store = folder.resolve((name.equals("stranger") ? "other" : "all") + "-trusted.p12");
        keytool(List.of(
                "-importcert", "-noprompt", "-alias", name, "-file", certificate, "-keystore", store.toString()));
    }

    private static void keytool(List<String> words) throws Exception {
        var all = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        all.addAll(words);
        all.addAll(List.of("-storetype", "PKCS12", "-storepass", "password"));
        var process = new ProcessBuilder(all).redirectErrorStream(true).start();
        var said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }

    private static String keys(String name) {
        return " --keys " + folder.resolve(name + ".p12");
    }

    private static String trusting(String name) {
        return " --trusted " + folder.resolve(name + "-trusted.p12") + " --password-file " + folder.resolve("password");
    }

    private static String token(String name) {
        return " --token-file " + folder.resolve(name);
    }

    private static CliRunner.CommandOutput lock(String name, String shown) {
        return CliRunner.line("lock " + name + at + shown + " -- true");
    }

    @Test
    void who_shows_a_token_needs_no_key_and_may_use_its_names() {
        var commandOutput = lock("orders-1", trusted + token("token"));
        assertThat(commandOutput.code()).as(commandOutput.err()).isZero();
        assertThat(CliRunner.line("locks orders-1" + at + trusted + token("token"))
                        .out())
                .contains("released");
    }

    @Test
    void other_names_are_refused() {
        var commandOutput = lock("bills", trusted + token("token"));
        assertThat(commandOutput.code()).isEqualTo(ExitCode.USAGE);
        assertThat(commandOutput.err()).contains("you have no right to use it; ask for the right");
        var several = lock("orders-1 --and bills", trusted + token("token"));
        assertThat(several.code()).isEqualTo(ExitCode.USAGE);
        assertThat(several.err()).contains("no right");
    }

    @Test
    void a_certificate_shows_who_asks() throws Exception {
        var file = folder.resolve("held");
        var holder = cliProcesses.start(
                "lock bills" + at + trusted + keys("ops") + " -- sh -c 'echo 1 > " + file + "; sleep 600'");
        CliProcesses.await(() -> CliProcesses.isWritten(file), holder::stderr);
        var commandOutput = CliRunner.line("release bills --force --reason 'a test'" + at + trusted + keys("ops"));
        assertThat(commandOutput.code()).as(commandOutput.err()).isZero();
        assertThat(holder.code()).isEqualTo(ExitCode.LOCK_LOST);
    }

    @Test
    void who_may_only_use_it_may_not_take_it_from_others() {
        var commandOutput =
                CliRunner.line("release orders-1 --force --fence 1 --reason 'a test'" + at + trusted + token("token"));
        assertThat(commandOutput.code()).isEqualTo(ExitCode.USAGE);
        assertThat(commandOutput.err()).contains("you have no right to administer lock orders-1");
    }

    @Test
    void a_wrong_token_and_none_at_all_are_told_apart_from_no_node() {
        for (var shown : List.of(trusted, trusted + token("wrong-token"))) {
            var commandOutput = lock("orders-1", shown);
            assertThat(commandOutput.code()).isEqualTo(ExitCode.USAGE);
            assertThat(commandOutput.err()).contains("this node does not know who you are");
        }
    }

    @Test
    void a_node_that_is_not_trusted_is_told_nothing() {
        var commandOutput = lock("orders-1", trusting("other") + token("token"));
        assertThat(commandOutput.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(commandOutput.err())
                .contains("there is no TLS with a node at ")
                .contains("--trusted must hold its");
    }

    @Test
    void who_speaks_without_tls_is_told_how() {
        var commandOutput = lock("orders-1", token("token"));
        assertThat(commandOutput.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(commandOutput.err()).contains("if it serves with --keys, give --trusted and --password-file");
    }

    @Test
    void a_wrong_password_and_a_missing_file_are_told() throws Exception {
        Files.writeString(folder.resolve("wrong"), "wrong\n");
        var commandOutput = lock(
                "orders-1",
                " --trusted " + folder.resolve("all-trusted.p12") + " --password-file " + folder.resolve("wrong"));
        assertThat(commandOutput.code()).isEqualTo(ExitCode.USAGE);
        assertThat(commandOutput.err()).contains("is the password right?").doesNotContain("wrong\n");
        var missing = lock("orders-1", trusted + token("nowhere"));
        assertThat(missing.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(missing.err()).contains("nowhere");
    }
}
