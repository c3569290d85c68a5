package habemus.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Doors that are TLS doors. */
@Timeout(60)
class TlsTest {

    @TempDir
    private static Path folder;

    /** A certificate and its key; whoever trusts this file trusts it. */
    private static Path certificate(String name) throws Exception {
        var file = folder.resolve(name + ".p12");
        if (!Files.exists(file)) {
            var tool =
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
            var words = List.of(
                    tool,
                    "-genkeypair",
                    "-keystore",
                    file.toString(),
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    "secret",
                    "-alias",
                    name,
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=" + name,
                    "-ext",
                    "SAN=dns:localhost");
            var process = new ProcessBuilder(words).redirectErrorStream(true).start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
        }
        return file;
    }

    /** A store of trusted certificates holds no key. */
    private static Path trusting(String name) throws Exception {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        var own = KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(certificate(name))) {
            own.load(in, "secret".toCharArray());
        }
        store.setCertificateEntry(name, own.getCertificate(name));
        var file = folder.resolve(name + "-trusted.p12");
        try (var out = Files.newOutputStream(file)) {
            store.store(out, "secret".toCharArray());
        }
        return file;
    }

    @Test
    void whoever_trusts_the_node_is_served_and_nobody_else() throws Exception {
        var node = Tls.trusting(trusting("client"), "secret").knownBy(certificate("node"), "secret");
        try (var service = new FakeService(1, Optional.of(node.open()))) {
            var options = Options.to(service.doors()).connectTimeout(Duration.ofSeconds(5));
            try (var one = Habemus.connect(options.tls(Tls.trusting(trusting("node"), "secret")))) {
                one.lock("orders").acquire(Duration.ofSeconds(5)).close();
            }
            var quick = options.connectTimeout(Duration.ofSeconds(1));
            assertThatThrownBy(() -> Habemus.connect(quick.tls(Tls.trusting(trusting("client"), "secret"))))
                    .isInstanceOf(Unreachable.class);
            assertThatThrownBy(() -> Habemus.connect(quick)).isInstanceOf(Unreachable.class);
        }
    }

    @Test
    void a_wrong_password_is_told() throws Exception {
        var wrong = Tls.trusting(trusting("node"), "wrong");
        assertThatThrownBy(() -> Habemus.connect(Options.to("localhost:7900").tls(wrong)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("is the password right?");
        assertThat(wrong.toString()).doesNotContain("wrong");
    }

    @Test
    void doors_are_written_with_a_port() {
        assertThat(Door.of("[::1]:7900")).isEqualTo(new Door("::1", 7900));
        assertThat(Door.of("[::1]:7900").toString()).isEqualTo("[::1]:7900");
        assertThatThrownBy(() -> Options.to("localhost"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("localhost:7900");
        assertThatThrownBy(Options::to).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Options.to("a:1").lease(Duration.ofMillis(100)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
