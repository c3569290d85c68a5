package habemus.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.cli.CliProcesses;
import habemus.cli.CliRunner;
import habemus.lab.command.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a node says at its start: the cause if it cannot, and a warning for every port that it leaves open. */
@Timeout(60)
@Tag("slow")
class ServeStartTest {

    @TempDir
    private Path folder;

    private String serve(String options) throws IOException {
        return serve("127.0.0.1:" + CliProcesses.ports(1), options);
    }

    private String serve(String address, String options) {
        var output = CliRunner.line(
                "serve --cluster n1=" + address + " --node n1 --data " + folder.resolve("data") + " " + options);
        assertThat(output.code()).as(output.err()).isIn(ExitCode.FAILURE, ExitCode.USAGE);
        return output.err();
    }

    private Path keystore() throws Exception {
        var file = folder.resolve("n1.p12");
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var out = Files.newOutputStream(file)) {
            store.store(out, "password".toCharArray());
        }
        return file;
    }

    private String tls(Path keystore, String password) throws IOException {
        var file = CliProcesses.writeSecret(folder.resolve("password"), password + "\n");
        return "--keystore " + keystore + " --truststore " + keystore + " --password-file " + file;
    }

    @Test
    void a_wrong_password_is_named_with_its_file() throws Exception {
        assertThat(serve(tls(keystore(), "wrong")))
                .isEqualTo("habemus: n1 cannot start: cannot read the keystore " + folder.resolve("n1.p12")
                        + ": wrong password\nhint: write its password in the password file\n");
    }

    @Test
    void a_missing_keystore_and_one_of_another_format_are_named() throws Exception {
        assertThat(serve(tls(folder.resolve("nowhere.p12"), "password")))
                .contains("cannot read the keystore " + folder.resolve("nowhere.p12") + ": no such file\n");
        var text = Files.writeString(folder.resolve("text.p12"), "no keystore\n");
        assertThat(serve(tls(text, "password"))).contains("text.p12: not a PKCS12 file\n");
    }

    @Test
    void a_password_file_that_others_can_read_is_refused() throws Exception {
        var options = tls(keystore(), "password");
        var file = folder.resolve("password");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(serve(options))
                .contains("other users can read or change --password-file " + file, "hint: chmod 600 " + file);
    }

    @Test
    void an_invalid_line_of_the_policy_is_named_with_its_number() throws IOException {
        var policy = Files.write(folder.resolve("access"), List.of("# access", "certificate ops fly:*"));
        assertThat(serve("--policy " + policy))
                .contains("invalid policy " + policy
                        + ", line 2: a permission must be use, inspect or administer, was 'fly'")
                .contains("hint: write lines such as 'certificate billing use,inspect:orders-*'");
        assertThat(serve("--policy " + folder.resolve("nowhere")))
                .contains("cannot read the policy file " + folder.resolve("nowhere") + ": no such file");
    }

    @Test
    void a_port_in_use_and_a_foreign_address_are_named() throws IOException {
        try (var taken = new ServerSocket(CliProcesses.ports(1), 1, InetAddress.getLoopbackAddress())) {
            var address = "127.0.0.1:" + taken.getLocalPort();
            assertThat(serve(address, ""))
                    .contains("cannot listen at " + address + ": Address already in use")
                    .contains("hint: stop the process that uses this port, or choose another port");
        }
        assertThat(serve("192.0.2.1:7601", "")).contains("hint: choose an address of this machine");
    }

    @Test
    void every_port_beyond_loopback_without_authentication_is_warned_of() throws IOException {
        try (var cliProcesses = new CliProcesses(folder)) {
            var node = cliProcesses.start("serve --cluster n1=0.0.0.0:" + CliProcesses.ports(1) + " --node n1 --data "
                    + folder.resolve("data"));
            node.awaitOutput("HTTP at (\\S+)");
            assertThat(node.stderr())
                    .contains("WARN peer port without TLS")
                    .contains("WARN client listener without TLS", "WARN client listener without policy")
                    .contains("WARN HTTP API is exposed beyond loopback");
        }
    }
}
