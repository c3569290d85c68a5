package habemus.log.etcd;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import habemus.service.algorithm.Certificates;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real etcd with certificates, and with users and roles. */
@Tag("slow")
class EtcdSecurityTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void requireEtcd() {
        assumeTrue(EtcdCluster.isInstalled(), "etcd-server is not installed");
    }

    @Test
    void certificates_protect_the_connection_and_a_wrong_one_is_named() throws Exception {
        var certificates = new Certificates(folder).make("etcd").make("node");
        for (var name : List.of("etcd", "node")) {
            writePem(certificates, name);
        }
        var options = List.of(
                "--cert-file",
                pem("etcd.pem"),
                "--key-file",
                pem("etcd.key"),
                "--trusted-ca-file",
                pem("node.pem"),
                "--client-cert-auth");
        try (var etcd = EtcdCluster.start(1, "https", options)) {
            var spec = etcd.spec() + "?cacert=" + pem("etcd.pem");
            try (var node = new EtcdTestNode(1, spec + "&cert=" + pem("node.pem") + "&key=" + pem("node.key"))) {
                node.propose("a");
                assertThat(node.entries()).containsExactly("a");
            }
            var untrusted = spec.replace("etcd.pem", "node.pem");
            assertThatThrownBy(() ->
                            new EtcdTestNode(1, untrusted + "&cert=" + pem("node.pem") + "&key=" + pem("node.key")))
                    .hasMessageContaining("TLS connection to etcd at 127.0.0.1:" + etcd.clientPort(0) + " failed")
                    .hasMessageContaining("hint: check cacert");
            try (var node = new EtcdTestNode(1, etcd.spec())) { // plain text; it goes on trying
                node.awaitProblem("is not available");
            }
        }
    }

    private String pem(String file) {
        return folder.resolve(file).toString();
    }

    private void writePem(Certificates certificates, String name) throws GeneralSecurityException, IOException {
        var files = certificates.of(name);
        var store =
                KeyStore.getInstance(files.keystore().toFile(), files.password().toCharArray());
        var key = store.getKey(name, files.password().toCharArray());
        Files.writeString(
                folder.resolve(name + ".pem"),
                block("CERTIFICATE", store.getCertificate(name).getEncoded()));
        Files.writeString(folder.resolve(name + ".key"), block("PRIVATE KEY", key.getEncoded()));
    }

    private static String block(String type, byte[] content) {
        return "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, "\n".getBytes(UTF_8)).encodeToString(content) + "\n-----END " + type
                + "-----\n";
    }

    @Test
    void a_user_needs_the_role_of_the_documentation_and_nothing_else() throws Exception {
        try (var etcd = EtcdCluster.start(1)) {
            etcd.etcdctl("user", "add", "root:secret");
            etcd.etcdctl("user", "grant-role", "root", "root");
            etcd.etcdctl("role", "add", "habemus");
            etcd.etcdctl("role", "grant-permission", "habemus", "readwrite", "--prefix=true", "/habemus/");
            etcd.etcdctl("user", "add", "habemus:password");
            etcd.etcdctl("user", "grant-role", "habemus", "habemus");
            etcd.etcdctl("user", "add", "guest:password");
            etcd.etcdctl("auth", "enable");
            var password = Files.writeString(folder.resolve("password"), "password\n");
            var wrong = Files.writeString(folder.resolve("wrong"), "wrong\n");

            var spec = etcd.spec() + "?compact=on&user=habemus&password-file=" + password;
            try (var node = new EtcdTestNode(1, spec)) {
                node.propose("a");
                node.log.compact().get(10, SECONDS);
                node.propose("b");
                assertThat(node.log.health().engine()).contains("etcd 3.");
            }
            try (var node = new EtcdTestNode(1, spec)) {
                node.awaitEntries(List.of("a", "b"));
            }
            assertDenied(etcd.spec());
            assertDenied(etcd.spec() + "?user=habemus&password-file=" + wrong);
            assertDenied(etcd.spec() + "?user=guest&password-file=" + password);
        }
    }

    private static void assertDenied(String spec) {
        assertThatThrownBy(() -> new EtcdTestNode(1, spec))
                .hasMessageContaining("denies access")
                .hasMessageContaining("hint: check user and password-file");
    }
}
