package habemus.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliProcesses;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One node of the production service with TLS and an access policy, and the commands that use it. */
@Timeout(180)
@Tag("slow")
class SecureServiceTest {

    private static final String TOKEN = "c0ffee-long-and-random";

    @TempDir
    static Path folder;

    private static CliProcesses cliProcesses;
    private static CliProcesses.Running node;
    private static String at;
    private static String trusted;

    @BeforeAll
    static void start() throws Exception {
        CliProcesses.writeSecret(folder.resolve("password"), "password\n");
        makeKeys("node", "-ext", "SAN=ip:127.0.0.1");
        makeKeys("ops");
        makeKeys("stranger", "-ext", "SAN=ip:127.0.0.1");
        CliProcesses.writeSecret(folder.resolve("token"), TOKEN + "\n");
        CliProcesses.writeSecret(folder.resolve("wrong-token"), "something else\n");
        var hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(TOKEN.getBytes(UTF_8)));
        Files.writeString(
                folder.resolve("access"),
                "sha256:" + hash + " billing use,inspect:orders-*\ncertificate ops use,inspect,administer:*\n");
        cliProcesses = new CliProcesses(folder);
        var cluster = "127.0.0.1:" + CliProcesses.ports(1);
        node = cliProcesses.start("serve --cluster " + cluster + " --node n1 --data " + folder.resolve("data")
                + " --verbose --policy " + folder.resolve("access") + keys("node") + trusting("all"));
        at = " --at " + node.awaitOutput("HTTP at (\\S+)").group(1);
        trusted = trusting("all");
        var ask = "status" + at + trusted + keys("ops");
        CliProcesses.await(
                () -> CliRunner.line(ask).out().contains("n1 is the leader"),
                () -> CliRunner.line(ask) + node.stderr());
    }

    @AfterAll
    static void end() {
        cliProcesses.close();
    }

    /** Creates a keystore and adds its certificate to the truststores. */
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
        var output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }

    private static String keys(String name) {
        return " --keystore " + folder.resolve(name + ".p12");
    }

    private static String trusting(String name) {
        return " --truststore " + folder.resolve(name + "-trusted.p12") + " --password-file "
                + folder.resolve("password");
    }

    private static String token(String name) {
        return " --token-file " + folder.resolve(name);
    }

    private static CliRunner.CommandOutput lock(String name, String shown) {
        return CliRunner.line("lock " + name + at + shown + " -- true");
    }

    @Test
    void a_client_with_a_token_needs_no_key_and_may_use_its_names() {
        var output = lock("orders-1", trusted + token("token"));
        assertThat(output.code()).as(output.err()).isZero();
        assertThat(CliRunner.line("locks orders-1" + at + trusted + token("token"))
                        .out())
                .contains("released");
    }

    @Test
    void other_names_are_rejected() {
        var output = lock("bills", trusted + token("token"));
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err())
                .contains("no right to use lock 'bills' as 'billing'\nhint: ask an operator to grant it");
        var several = lock("orders-1 --and bills", trusted + token("token"));
        assertThat(several.code()).isEqualTo(ExitCode.USAGE);
        assertThat(several.err()).contains("no right to use lock 'bills' as 'billing'");
    }

    @Test
    void a_certificate_authenticates_the_client() throws Exception {
        var file = folder.resolve("held");
        var holder = cliProcesses.start(
                "lock bills" + at + trusted + keys("ops") + " -- sh -c 'echo 1 > " + file + "; sleep 600'");
        CliProcesses.await(() -> CliProcesses.isWritten(file), holder::stderr);
        var output = CliRunner.line("release bills --force --reason 'a test'" + at + trusted + keys("ops"));
        assertThat(output.code()).as(output.err()).isZero();
        assertThat(holder.code()).isEqualTo(ExitCode.LOCK_LOST);
    }

    @Test
    void a_client_without_the_admin_right_cannot_revoke() {
        var output =
                CliRunner.line("release orders-1 --force --fence 1 --reason 'a test'" + at + trusted + token("token"));
        assertThat(output.code()).isEqualTo(ExitCode.USAGE);
        assertThat(output.err()).contains("no right to administer lock 'orders-1' as 'billing'");
    }

    @Test
    void a_wrong_or_missing_token_is_not_reported_as_an_unreachable_node() {
        for (var shown : List.of(trusted, trusted + token("wrong-token"))) {
            var output = lock("orders-1", shown);
            assertThat(output.code()).isEqualTo(ExitCode.USAGE);
            assertThat(output.err()).contains("authentication failed: unknown token or certificate");
        }
    }

    @Test
    void an_untrusted_node_gets_no_request() {
        var output = lock("orders-1", trusting("other") + token("token"));
        assertThat(output.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(output.err())
                .contains("TLS handshake failed with ")
                .contains("--truststore must hold the certificate");
    }

    @Test
    void a_client_without_tls_gets_a_hint() {
        var output = lock("orders-1", token("token"));
        assertThat(output.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(output.err()).contains("if the node uses TLS, give --truststore and --password-file");
    }

    @Test
    void no_secret_is_in_the_log_at_level_debug() throws Exception {
        var output = lock("orders-secret", trusted + token("token"));
        assertThat(output.code()).as(output.err()).isZero();
        CliProcesses.await(() -> node.stderr().contains("path=/tickets/…/release status=200"), node::stderr);
        assertThat(node.stderr())
                .contains("DEBUG HTTP request address=127.0.0.1:", "path=/locks/orders-secret/acquire status=200")
                .doesNotContain(TOKEN, "nonce=")
                .doesNotContainPattern("tickets/[0-9a-f]");
    }

    @Test
    void a_wrong_password_and_a_missing_file_are_reported() throws Exception {
        CliProcesses.writeSecret(folder.resolve("wrong"), "wrong\n");
        var output = lock(
                "orders-1",
                " --truststore " + folder.resolve("all-trusted.p12") + " --password-file " + folder.resolve("wrong"));
        assertThat(output.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(output.err())
                .contains("all-trusted.p12: wrong password\nhint: write its password in the password file")
                .doesNotContain("wrong\n");
        var missing = lock("orders-1", trusted + token("nowhere"));
        assertThat(missing.code()).isEqualTo(ExitCode.FAILURE);
        assertThat(missing.err()).contains("nowhere");
    }
}
